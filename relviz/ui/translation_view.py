"""A translation on screen: its choices, its figures, where items land, what stands next to them."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import relviz
from relviz.ui import controls
from relviz.ui.linked_map import MapEvent, Pane
from relviz.ui.maps import show_map
from relviz.ui.verbatim import verbatim
from relviz.ui.wording import DECIDED_BY, DECIDED_BY_HELP, TRANSLATORS, TRANSLATORS_HELP
from relviz.view import View
from relviz.view.translation import (
    QUERIES,
    Translation,
    baselines_of,
    nearest_items,
    sides_of,
    target_map,
    translation_of,
)
from relviz.wording import count

ACCENT, QUIET = "#0072B2", "#9AA3AB"


def choose_translation(view: View, pair: relviz.Pair) -> None:
    """The direction, the method, and what the method can be told."""
    a, b = pair.a.name, pair.b.name
    controls.toggle(
        view, "back", "From B into A", f"On: items of {b} are carried into {a}. Off: from A into B."
    )
    controls.choice(view, "translate", "Translator", TRANSLATORS, TRANSLATORS_HELP)
    if view.translate == "irp":
        controls.slider(
            view,
            "delta",
            "δ, pruning",
            0.01,
            "Anchors are left out until none is nearer to another than this, as 1 - |cosine|. 0 keeps all.",
        )
        controls.number(view, "omega", "ω, subspaces", "Prunings from different starts, averaged.")
        controls.choice(view, "decided_by", "Pruned by", DECIDED_BY, DECIDED_BY_HELP)


def show_translation(view: View, pair: relviz.Pair) -> None:
    """Figures, maps and neighbours of the view's translation; the reason, where it cannot be made."""
    try:
        made = translation_of(view)
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    _show_figures(view, pair, made)
    event = _show_maps(view, pair, made)
    _show_item(view, pair, made, event)
    _show_baselines(view)


def _show_figures(view: View, pair: relviz.Pair, made: Translation) -> None:
    source, target = sides_of(view, pair)
    ranks = made.ranks
    st.markdown(
        f"{verbatim(source.name)} → {verbatim(target.name)}: of the translated items, "
        f"**{(ranks <= 1).mean():.1%}** have their true place in {verbatim(target.name)} nearest of all "
        f"{count(len(pair))} (chance {1 / len(pair):.2%}); its median rank is {np.median(ranks):.0f}."
    )
    fitted = made.translator
    figures = {
        "Cosine to the truth": (
            f"{made.cosines.mean():.3f}",
            "Minus the anchor mean; over all items.",
        ),
        "Cosine, plain": (f"{made.plain:.3f}", "With the anchor mean, which alone can make it high."),
        "MRR": (
            f"{(1 / ranks).mean():.3f}",
            f"Of the true item; {count(len(ranks))} items asked.",
        ),
        "Condition number": (f"{fitted.condition_number:.3g}", "Of what was inverted; 1 where nothing was."),
        "Anchors kept": (f"{fitted.anchors_kept:.0f}", "The mean over subspaces."),
    }
    for column, (name, (value, help)) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(name, value, help=help)
    if fitted.condition_number > 1e3:
        st.warning(
            f"What is inverted has the condition number {fitted.condition_number:.1g}: small differences "
            "between the spaces are blown up. Prune more (a larger δ), or take IRP+ or ridge. With about as "
            "many anchors as dimensions this is worst.",
            icon=":material/warning:",
        )


def _show_maps(view: View, pair: relviz.Pair, made: Translation) -> MapEvent:
    source, target = sides_of(view, pair)
    places, share = target_map(view)
    said = f"{count(len(pair))} rows · PCA axes of {target.name} · {share:.0%} of its variance"
    panes = [
        Pane(f"{target.name} · as it is", places, said, group=0),
        Pane(f"{source.name} · carried into {target.name}", made.landed, said, group=0),
    ]
    event = show_map(view, pair, panes, np.empty(0, dtype=np.int64), "stitch_maps", height=560)
    st.caption(
        "The same axes on both sides: a perfect translation looks like the space on the left. "
        "Hover or select items to see where they should be and where they land."
    )
    return event


def _show_item(view: View, pair: relviz.Pair, made: Translation, event: MapEvent) -> None:
    st.subheader("One item")
    chosen = event.clicked if event.clicked is not None else next(iter(event.selected.tolist()), 0)
    row = st.selectbox(
        "Item",
        range(len(pair)),
        index=chosen,
        format_func=lambda one: pair.items[one][:80],
        key=f"stitch_item_{chosen}",
        help="Type to find one, or click it on a map.",
    )
    near, own = nearest_items(view, row)
    _, target = sides_of(view, pair)
    place = next((at for at, (other, _) in enumerate(near, 1) if other == row), None)
    where = f"number {place} among" if place else "not among"
    st.markdown(
        f"**{verbatim(pair.items[row][:200])}** lands at a cosine of {made.cosines[row]:.3f} to its true "
        f"place, which is {where} the {len(near)} items nearest to it."
    )
    shown = {
        "near the translated item": [_line(pair, *one, own=one[0] == row) for one in near],
        f"near the item itself, in {target.name}": [
            _line(pair, other, cosine, False) for other, cosine in own
        ],
    }
    st.dataframe(shown, hide_index=True, alt="The nearest items, of the translated and of the true vector")


def _line(pair: relviz.Pair, row: int, cosine: float, own: bool = False) -> str:
    return f"{'★ ' if own else ''}{pair.items[row][:80]} · {cosine:.2f}"


def _show_baselines(view: View) -> None:
    st.subheader("Beside the other methods")
    made = baselines_of(view)
    fine = {name: one for name, one in made.items() if isinstance(one, Translation)}
    figure = go.Figure()
    for words, values in (
        ("cosine to the truth", [float(one.cosines.mean()) for one in fine.values()]),
        ("MRR of the true item", [float((1 / one.ranks).mean()) for one in fine.values()]),
    ):
        figure.add_bar(name=words, x=[TRANSLATORS[name] for name in fine], y=values, texttemplate="%{y:.2f}")
    figure.update_layout(
        height=320, margin={"t": 10, "b": 10, "l": 10, "r": 10}, yaxis_range=[0, 1], colorway=[ACCENT, QUIET]
    )
    figure.update_layout(legend={"orientation": "h", "y": 1.12})
    st.plotly_chart(figure, key="stitch_bars")
    for name, one in made.items():
        if isinstance(one, str):
            st.caption(f"{TRANSLATORS[name]}: {verbatim(one)}")
    st.caption(
        f"Anchors of the sidebar, the same for all; cosines over all items minus the anchor mean, MRR over "
        f"at most {count(QUERIES)} of them. IRP with the δ and ω chosen. Anchors are among the items."
    )
