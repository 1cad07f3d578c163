"""Several spaces matched at once: the choice of spaces, pairwise and joint matches, and their evidence."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

import relviz
from relviz.bootstrapping.together import Places
from relviz.compute.task import Task
from relviz.plotting.colors import CLASSES
from relviz.results.run_summary import right_summary
from relviz.results.several import (
    Matched,
    SeveralMatched,
    SeveralSoFar,
    Two,
    counterparts,
    several_task,
    shared_items,
)
from relviz.results.unpaired import pair_found
from relviz.state.several_choices import MOST_SPACES
from relviz.state.shelf import shelf_of
from relviz.state.view import Names, Several
from relviz.ui import controls, state
from relviz.ui.bootstrap.curves import Chart
from relviz.ui.bootstrap.matches import show_matches_so_far
from relviz.ui.item_rows import (
    cells_of_one,
    drawn_of_each,
    drawn_seed,
    say_and_draw_others,
    show_cells,
)
from relviz.ui.job_view import show_job, start
from relviz.ui.names import name_of, space_shown
from relviz.ui.pair_view import choose_pair
from relviz.ui.thumbnail import thumbnail_uri
from relviz.ui.verbatim import verbatim
from relviz.wording import plural

Spaces = Mapping[str, relviz.Space]
"""The spaces by their sources."""
Lines = Mapping[Places, Matched]
"""What pairs of spaces gave, by the places of the two."""
GREEN, GRAY = CLASSES[2], CLASSES[7]
NODE, NODE_ALONE = (132, 88), (300, 190)
"""Pixels of the map of a space in the network, with lines between them and without."""
_MARGIN = 24
"""Pixels around the maps, for their names."""
_STRETCHED = 1.3
"""How much wider than high the circle is."""
_RADIUS = 100
"""Of the circle, about as many units as pixels: ECharts moves level lines by up to a unit."""
WIDEST = 12
"""Pixels of the line between two spaces of which every match is right."""
LABEL = {
    **{"fontSize": 14, "fontWeight": "bold", "color": "#222222", "textBorderWidth": 0},
    **{"backgroundColor": "#ffffff", "padding": [2, 5], "borderRadius": 4},
}
APART = 0.29
"""Where such a line ends, as a part of the way from map to map."""
SPACES = "choice_se_spaces"
ABOUT = """Each pair of spaces is first matched by anchor optimization. If both match a third space, but not
each other, or with a lower split-half consistency, they are matched through it. Then each space is matched
with all the others jointly. New matches are kept only if their split-half consistency is higher, which needs
no ground truth. This method is ours; it is not in the papers."""


def choose_spaces(chosen: Several, shelf: Sequence[str]) -> None:
    """Which spaces, how many items are known, and the seed; ``shelf`` are those at hand."""
    names = {one.source: name_of(one.name) for one in shelf_of((*chosen.sources, *shelf)) if not one.problem}
    for demo in relviz.demo_names():
        made = relviz.load_demo(demo)
        for key, space in made.spaces.items():
            names.setdefault(f"{demo}.{key}", f"{made.title}: {name_of(space.name)}")
    choice = Several.choice("spaces")
    st.session_state[SPACES] = [source for source in chosen.sources if source in names]

    def take() -> None:
        state.change_several(spaces=Names(st.session_state[SPACES]))

    st.multiselect(
        choice.label,
        list(names),
        format_func=names.__getitem__,
        max_selections=MOST_SPACES,
        help=choice.help,
        key=SPACES,
        on_change=take,
    )
    controls.choose(chosen, "known")
    controls.choose(chosen, "seed")


def opened(sources: Sequence[str]) -> Spaces:
    """The spaces; where one cannot be opened or they are too few, a message, and the page stops."""
    try:
        spaces = {source: space_shown(source) for source in sources}
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        st.button("Show the emoji demo instead", on_click=lambda: state.change_several(spaces=Names()))
        st.stop()
    if len(spaces) < 2:
        st.info("Choose at least two spaces. A third can help to match the other two.", icon=":material/hub:")
        st.stop()
    return spaces


def show_several(chosen: Several, spaces: Spaces) -> None:
    """The spaces as a network, alone and together, and what is behind its lines; before that, the button."""
    try:
        task = several_task(list(spaces.values()), chosen.known, chosen.seed, list(spaces))
    except relviz.Error as reason:
        st.error(verbatim(reason), icon=":material/error:")
        return
    found = task.stored()
    if found is None:
        _show_before(task, spaces)
        return
    alone = {(two.i, two.j): two.alone for two in found.pairs}
    together = {(two.i, two.j): two.together for two in found.pairs}
    left, right = st.columns(2, gap="medium")
    with left:
        _show_network("Pairwise", spaces, alone)
    with right:
        _show_network("Jointly", spaces, together)
    given = f"{plural(chosen.known, 'known item')}." if chosen.known else "No known items."
    st.caption(f"{given} {_legend(together)}")
    examples, pairs, about = st.tabs(["Examples", "Pairs", "How it works"])
    with examples:
        _show_examples(found, spaces)
    with pairs:
        _show_pairs(found, spaces)
    with about:
        st.markdown(ABOUT)


def _show_before(task: Task[SeveralMatched], spaces: Spaces) -> None:
    job, unmatched = task.job(), partial(_show_network, "Not matched yet", spaces, {})
    if job is not None:
        show_job(job, task, show=partial(_show_so_far, spaces), before=unmatched)
    else:
        runs = len(spaces) * (len(spaces) - 1) // 2
        shared = len(shared_items(spaces.values()))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Match all", type="primary", icon=":material/play_arrow:", on_click=start, args=(task,))
            st.caption(
                f"{plural(runs, 'pair')}, one run each, then a joint run: one minute to ten. The spaces "
                f"share {plural(shared, 'id')}, used to evaluate, never to match.",
                width="stretch",
            )
    if job is None or not job.alive:
        unmatched()


def _show_so_far(spaces: Spaces, so_far: SeveralSoFar) -> None:
    """The network with a line for each pair that is matched, and the matches so far of the next pair."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _show_network("Pairwise, so far", spaces, so_far.alone, so_far.now)
        if so_far.alone:
            st.caption(_legend(so_far.alone))
    with right:
        if so_far.now is None:
            st.caption("Each pair has been matched on its own. Now all are matched jointly.")
        elif so_far.matches is not None:
            first, second = (list(spaces)[place] for place in so_far.now)
            show_matches_so_far((first, second), so_far.matches)


def _show_network(title: str, spaces: Spaces, lines: Lines, now: Places | None = None) -> None:
    passed = sum(one.verdict.converged for one in lines.values())
    heading = f"**{title}**"
    if lines:
        passes = "pass" if len(lines) > 1 else "passes"
        heading += f": {passed} of {plural(len(lines), 'pair')} {passes} the self-check"
    st.markdown(heading)
    names = [space.name for space in spaces.values()]
    words = [f"{names[i]} and {names[j]} {_measure(one)}" for (i, j), one in lines.items()]
    if now is not None:
        words.append(f"{names[now[0]]} and {names[now[1]]} are being matched")
    height = 300 if lines or now else 560
    alt = f"{title}: {'; '.join(words)}"
    st.echarts_chart(network(spaces, lines, now), height=height, key=f"several_{title}", alt=alt)


def network(spaces: Spaces, lines: Lines, now: Places | None = None) -> Chart:
    """Maps of the spaces on a circle; the line between two is the wider, the more of their matches are right.

    The line between the two that are being matched ``now`` is dotted.
    """
    places = _places(len(spaces))
    wide, high = NODE if lines or now else NODE_ALONE
    nodes: list[Chart] = []
    for (x, y), space in zip(places, spaces.values(), strict=True):
        picture = thumbnail_uri(space, (wide, high))
        symbol = "roundRect" if picture is None else f"image://{picture}"
        above = "top" if y < 0 else "bottom"  # no line crosses a name
        label = {"show": True, "position": above, "formatter": _short(space.name)}
        nodes.append({"x": x, "y": y, "symbol": symbol, "symbolSize": [wide, high], "label": label})
    links = []
    drawn = {two: (_measure(one), _style(one)) for two, one in lines.items()}
    if now is not None:
        drawn[now] = "searching", {"width": 2, "color": GRAY, "type": "dotted"}
    for (i, j), (words, style) in drawn.items():
        label = {"show": True, "formatter": words, **LABEL}
        links.append({"source": len(nodes), "target": len(nodes) + 1, "lineStyle": style, "label": label})
        here, there = places[i], places[j]
        nodes += [{**_between(here, there, at), "symbolSize": 0} for at in (APART, 1 - APART)]
    for at, node in enumerate(nodes):
        node["name"] = str(at)
    return {
        "animation": False,
        "series": [
            {
                "type": "graph",
                "layout": "none",
                "silent": True,
                "preserveAspect": True,
                "left": wide // 2 + _MARGIN,
                "right": wide // 2 + _MARGIN,
                "top": high // 2 + _MARGIN,
                "bottom": high // 2 + _MARGIN,
                "data": nodes,
                "links": links,
            }
        ],
    }


def _style(one: Matched) -> Chart:
    color, kind = (GREEN, "solid") if one.verdict.converged else (GRAY, "dashed")
    return {"width": max(1.0, WIDEST * _share(one)), "opacity": 0.8, "color": color, "type": kind}


def _places(many: int) -> list[tuple[float, float]]:
    """On a circle, three with the first at the top, four as a rectangle."""
    turn = {3: 90, 4: 135}.get(many, 180)
    angles = [math.radians(turn - 360 * at / many) for at in range(many)]
    return [
        (round(_RADIUS * _STRETCHED * math.cos(angle), 1), round(-_RADIUS * math.sin(angle), 1))
        for angle in angles
    ]


def _between(here: tuple[float, float], there: tuple[float, float], at: float) -> dict[str, float]:
    x, y = ((1 - at) * one + at * other for one, other in zip(here, there, strict=True))
    return {"x": x, "y": y}


def _short(name: str) -> str:
    return (name if len(name) <= 32 else f"{name[:31]}…").replace("{", "(").replace("}", ")")


def _share(one: Matched) -> float:
    return max(0.0, one.verdict.evidence.halves) if one.right is None else one.right


def _measure(one: Matched) -> str:
    if one.right is None:
        return f"split-half {one.verdict.evidence.halves:.2f}"
    return f"{one.right:.0%} right"


def _legend(lines: Lines) -> str:
    green = "Green: passes the self-check. Dashed: rejected."
    if all(one.right is None for one in lines.values()):
        return f"{green} Split-half: consistency of rotations fitted to each half of the matches (0–1)."
    return f"{green} Right: share of shared items matched to their counterpart (by id)."


def _names(spaces: Spaces, two: Two) -> str:
    names = [space.name for space in spaces.values()]
    return f"{names[two.i]} → {names[two.j]}"


def _show_examples(found: SeveralMatched, spaces: Spaces) -> None:
    pairs = list(found.pairs)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.selectbox(
            "Pair",
            range(len(pairs)),
            index=pairs.index(found.most_helped()),
            format_func=lambda at: _names(spaces, pairs[at]),
            width=420,
        )
        two = pairs[at]
        sources = list(spaces)
        st.button(
            "Use as the pairing",
            icon=":material/link:",
            type="primary" if two.together.verdict.converged else "secondary",
            on_click=_take,
            args=((sources[two.i], sources[two.j]), two),
            help="Makes the jointly matched rows the pair on every page.",
        )
        with st.popover("Evidence", icon=":material/fact_check:"):
            for words, one in (("Pairwise", two.alone), ("Jointly", two.together)):
                reason = verbatim(one.verdict.evidence.reason)
                st.markdown(f"**{words}**: {reason} {right_summary(one.verdict)}")
    x, y = (spaces[sources[place]] for place in (two.i, two.j))
    truth = counterparts(x, y)
    count = drawn_of_each((sources[two.i], sources[two.j]))
    rows = two.sample(truth, count, drawn_seed("several"))
    alone, together = two.alone.matches[rows], two.together.matches[rows]
    expected = None if truth is None else truth[rows]
    show_cells(
        {
            f"item of {x.name}": cells_of_one(sources[two.i], x, rows),
            "match, pairwise": cells_of_one(sources[two.j], y, alone, expected),
            "match, jointly": cells_of_one(sources[two.j], y, together, expected),
        },
        "Examples",
    )
    caption = f"{plural(len(rows), 'item')}, a stratified random sample."
    if expected is not None:
        before, after = (int((one == expected).sum()) for one in (alone, together))
        caption += f" Green: the counterpart itself, {before} pairwise and {after} jointly."
    say_and_draw_others("several", caption)


def _show_pairs(found: SeveralMatched, spaces: Spaces) -> None:
    columns: dict[str, list[object]] = {"pair": [_names(spaces, two) for two in found.pairs]}
    for words, part in (("pairwise", "alone"), ("jointly", "together")):
        each: list[Matched] = [getattr(two, part) for two in found.pairs]
        if any(one.right is not None for one in each):
            columns[f"right, {words}"] = [one.right for one in each]
        columns[f"split-half, {words}"] = [one.verdict.evidence.halves for one in each]
        columns[f"self-check, {words}"] = ["passed" if one.verdict.converged else "rejected" for one in each]
    if len(spaces) > 2:
        columns["cycles"] = [two.cycles for two in found.pairs]
    shares = [name for name in columns if name.startswith("right") or name == "cycles"]
    st.dataframe(
        columns,
        hide_index=True,
        column_config={
            **{name: st.column_config.NumberColumn(format="percent") for name in shares},
            **{
                name: st.column_config.NumberColumn(format="%.3f")
                for name in columns
                if name.startswith("split-half")
            },
        },
        alt="Every pair of spaces, matched pairwise and jointly",
    )
    st.caption(
        "Split-half: consistency of rotations fitted to each half of the matches, chance-corrected. Cycles: "
        "share of rows whose match is the same through a third space. Neither needs ground truth."
    )


def _take(sources: tuple[str, str], two: Two) -> None:
    a, b, _ = pair_found(*sources, two.correspondence)
    choose_pair(a, b)
    state.toast("The matched rows are now the pair on every page.", ":material/link:")
