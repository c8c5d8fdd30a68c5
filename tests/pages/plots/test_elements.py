"""Elements of a page: escaped, in their order, with names of their own."""

from relance.pages.plots.elements import h, inline_svg, text_of


def test_elements_escape_and_keep_their_order():
    assert text_of(h("p", "a < b", h("b", "&"), None, " c", title='"<')) == (
        '<p title="&quot;<">a &lt; b<b>&amp;</b> c</p>'
    )


def test_an_svg_keeps_what_is_referred_to_under_its_own_name():
    svg = (
        b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10pt" height="5pt" version="1.1">'
        b'<metadata>x</metadata><g id="not"><path id="m1" style="fill: #ffffff" d="M 0.123456 1"/><use xlink:href="#m1"/></g></svg>'
    )
    out = text_of(inline_svg(svg, "a", "label"))
    assert 'id="a-m1"' in out
    assert 'href="#a-m1"' in out
    assert 'id="not"' not in out
    assert "metadata" not in out
    assert "M 0.12 1" in out
    assert "fill: var(--card)" in out
    assert "http" not in out
