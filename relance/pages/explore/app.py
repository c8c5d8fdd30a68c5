"""The explorer's page as a marimo notebook, served by `relance explore`. Its content and logic are in `position` and `views`."""

import marimo

app = marimo.App(width="medium", app_title="Relance explorer")


@app.cell
def _imports():
    import marimo as mo

    from relance.envs.catalogue import BLUEPRINTS
    from relance.pages.explore import position, views
    from relance.pages.explore.position import attempt
    from relance.pages.plots.style import who_acts

    return BLUEPRINTS, attempt, mo, position, views, who_acts


@app.cell
def _moving(mo):
    def sliders(found, names=None):
        """Return a slider for each parameter in `found`, labelled by `names` or by its description; it reports when released."""
        return mo.ui.dictionary(
            {
                name: mo.ui.slider(
                    steps=item.shown,
                    value=item.shown[item.stops.index(item.start)],
                    debounce=True,
                    show_value=True,
                    full_width=True,
                    label=(names or {}).get(name, f"{name}: {item.doc}" if item.doc else name),
                )
                for name, item in found.items()
            }
        )

    def read(found, moved):
        """The exact values of the sliders."""
        return {name: item.at(moved.value[name]) for name, item in found.items()}

    return read, sliders


@app.cell
def _choose(BLUEPRINTS, attempt, mo, position):
    asked, wrong = attempt(lambda: position.opened(mo.query_params().get("game") or next(iter(BLUEPRINTS))))
    titles = {spec.title: name for name, spec in BLUEPRINTS.items()}
    first = asked.blueprint.title if asked else next(iter(titles))
    chosen = mo.ui.dropdown(titles, value=first, allow_select_none=False, label="game", full_width=True)
    return asked, chosen, wrong


@app.cell
def _parameters(asked, chosen, mo, position, sliders):
    start = asked if asked and asked.name == chosen.value else position.opened(chosen.value)
    found = position.parameter_sliders(start)
    numbers = sliders(found)
    kinds = start.blueprint.parameters
    others = mo.ui.dictionary(
        {
            name: mo.ui.switch(at, label=name)
            if isinstance(at, bool)
            else mo.ui.text(kinds[name].text(at), label=name, full_width=True)
            for name, at in start.parameters.items()
            if name not in found
        }
    )
    return found, numbers, others, start


@app.cell
def _game(attempt, found, mo, numbers, others, position, read, start, views, wrong):
    made, _why = attempt(lambda: position.moved(start, {**read(found, numbers), **others.value}))
    mo.Html(views.warning(_why or wrong))
    return (made,)  # None where there is no such game: the sliders stay, so that the user can move back


@app.cell
def _family(made, position, sliders):
    members = position.family_sliders(made) if made else {}
    member = sliders(members)
    return member, members


@app.cell
def _away(made, member, members, position, read, sliders, who_acts):
    chosen_member = read(members, member)
    symbols = position.number_sliders(made, chosen_member) if made else {}
    symbol = sliders(symbols)
    nodes = position.mix_sliders(made) if made else {}
    mixes = sliders(nodes, {node: who_acts(made, node) for node in nodes})
    return chosen_member, symbol, symbols, mixes, nodes


@app.cell
def _played(attempt, chosen_member, symbol, symbols, made, mixes, mo, nodes, position, read, views):
    mo.stop(made is None)
    place = read(symbols, symbol)
    now, _why = attempt(lambda: position.position(made, chosen_member, place, read(nodes, mixes)))
    mo.stop(now is None, mo.Html(views.warning(_why)))
    return now, place


@app.cell
def _heading(mo, now, views):
    mo.Html(views.heading(now))


@app.cell
def _picture(mo, now, views):
    mo.Html(views.strategies(now))


@app.cell
def _controls(chosen, symbol, symbols, member, members, mixes, mo, nodes, numbers, others, views):
    _parts = {"The game": [chosen, *numbers.values(), *others.values()]}
    if members:
        _parts["Member of the published family"] = member.values()
    if symbols:
        _parts["Thresholds and probabilities away from equilibrium"] = symbol.values()
    if nodes:
        _parts["Share of uniform play"] = mixes.values()
    mo.Html(views.controls({name: [_item.text for _item in items] for name, items in _parts.items()}))


@app.cell
def _tables(chosen_member, made, mo, now, place, views):
    mo.vstack([mo.Html(views.gains_table(now)), mo.Html(views.symbols_table(made, chosen_member, place))])


@app.cell
def _chips(mo, now, views):
    mo.Html(views.chips(now))


@app.cell
def _along(found, mo, start):
    names = [name for name in found if start.blueprint.parameters[name].drawn is not None]
    axis = mo.ui.dropdown(names, value=next((n for n in names if n != "ante"), None), label="value against")
    return (axis,)


@app.cell
def _curve(attempt, axis, made, mo, views):
    mo.stop(made is None)
    _drawn, _why = attempt(lambda: views.values(made, axis.value)) if axis.value else ("", "")
    mo.vstack([axis, mo.Html(_drawn or views.warning(_why))])


if __name__ == "__main__":
    app.run()
