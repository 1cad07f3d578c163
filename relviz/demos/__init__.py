"""The data that comes with the project: each demo is a few spaces of the same items.

``python -m relviz.demos.build`` rebuilds it from the packages it was made of.
"""

from relviz.demos.catalog import demo_names
from relviz.demos.demo import Demo, Sprite
from relviz.demos.load import load_demo

__all__ = ["Demo", "Sprite", "demo_names", "load_demo"]
