"""LaTeX of bibliography fields."""

from __future__ import annotations

import pytest

from kg.readers.latex import decode_latex


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        pytest.param(r"S\_Index", "S_Index", id="c1-08"),
        pytest.param("{FFT} bounds for $x^{2n}$", "FFT bounds for $x^{2n}$", id="c4-06"),
        pytest.param(
            r"$\less$p$\greater$$\less$strong$\greater$Deep nets$\less$/strong$\greater$ for caves"
            r"$\less$/p$\greater$",
            "Deep nets for caves",
            id="c4-12",
        ),
        (
            r"G{\"o}del, {\'E}va, \v{S}, \c c, \~n, {\L}ukasz, \o{}re, stra{\ss}e",
            "Gödel, Éva, Š, ç, ñ, Łukasz, øre, straße",
        ),
        (r"\emph{Deep {BERT}} and {\em more}", "Deep BERT and more"),
        (r"\url{https://a.b/c_{d}} \cite{roe}", r"\url{https://a.b/c_{d}} \cite{roe}"),
        (r"50% of R\&D at 10\%", "50% of R&D at 10%"),
        ("Roe~et~al. at http://x.edu/~vgg", "Roe et al. at http://x.edu/~vgg"),
        (r"\(a_{b}\) and $$c{d}$$", r"\(a_{b}\) and $$c{d}$$"),
        ("plain < text", "plain < text"),
        (r"\textbackslash{}alpha {\textbackslash}beta a\textbackslash b", r"\alpha \beta a\b"),
        (
            r"x.edu/\textasciitilde{}vgg x.edu/{\textasciitilde}vgg x.edu/\texttildelow vgg",
            "x.edu/~vgg x.edu/~vgg x.edu/~vgg",
        ),
        (r"2\textasciicircum{}n \textless{}b\textgreater{} a\textunderscore{}b", "2^n <b> a_b"),
        (r"\textbraceleft{}a\textbraceright{} \lbrace b\rbrace{} \textbar{} \textdollar{}5", "{a} {b} | $5"),
        (
            r"\textquotedblleft{}a\textquotedblright{} \textquotedbl{}b\textquotedbl{} \textquoteleft c"
            r"\textquoteright{} \textquotesingle{}d\textquotesingle{} \glqq{}e\grqq{} "
            r"\guillemetleft f\guillemetright",
            "“a” \"b\" ‘c’ 'd' „e“ «f»",
        ),
        (
            r"\S 3 \P{} \copyright{} \pounds 5 a\textperiodcentered{}b \textbullet{} \textdegree{}C",
            "§3 ¶ © £5 a·b • °C",
        ),
        (r"multi\-modal 10\,000 a\quad b\enspace{}c a\slash{}b", "multimodal 10 000 a b c a/b"),
        (r"In \LaTeX{} or \TeX and \log n", "In LaTeX or TeX and log n"),
        (r"CO\textsubscript{2} 2\textsuperscript{nd} \underline{u} \ensuremath{\alpha}", "CO2 2nd u α"),
        (r"\sqrt{2} \ket{x} \frac{1}{2} \today \ref{a}", r"\sqrt{2} \ket{x} \frac{1}{2} \today \ref{a}"),
    ],
)
def test_accents_and_braces_go_and_formulas_stay(latex: str, text: str) -> None:
    assert decode_latex(latex) == text


@pytest.mark.parametrize("latex", ["{", "}", "$", "\\", "\\(", "{\\'", "\\'{", "$\\", "{$}", "\\emph{"])
def test_any_amount_of_broken_latex_is_quick(latex: str) -> None:
    assert isinstance(decode_latex(latex * 20_000), str)
