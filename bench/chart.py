"""Draws the measurements as SVG: colours that can be read on a light and on a dark page, no scripts, no fonts."""

import math
from xml.sax.saxutils import escape

TEXT, FAINT = "#7d8590", "#7d859055"
COLOURS = {"io_uring": "#2f81f7", "epoll": "#db8b1a", "peer": "#7d8590"}
FONT = "font-family='system-ui, sans-serif' font-size='12'"


class Drawing:
    def __init__(self, width, height):
        self.parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
                      f"height='{height}' {FONT}>"]

    def text(self, x, y, words, anchor="start", colour=TEXT, more=""):
        self.parts.append(f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{colour}' {more}>"
                          f"{escape(words)}</text>")

    def line(self, x1, y1, x2, y2, colour=FAINT, width=1.0, more=""):
        self.parts.append(f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{colour}' "
                          f"stroke-width='{width}' {more}/>")

    def dot(self, x, y, colour, radius=4.0):
        self.parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{colour}'/>")

    def path(self, points, colour):
        steps = " ".join(f"{'L' if i else 'M'}{x:.1f},{y:.1f}" for i, (x, y) in enumerate(points))
        self.parts.append(f"<path d='{steps}' fill='none' stroke='{colour}' stroke-width='2'/>")

    def done(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def legend(drawing, x, y, names):
    for name, words in names:
        drawing.dot(x, y - 4, COLOURS[name])
        drawing.text(x + 9, y, words)
        x += 40 + 7 * len(words)


def short(value):
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def ratios(rows, about):
    """A line for each question: the median of each backend, its spread, and the target as a tick. On a busy machine, by
    processor time, without targets: the clock would show the other programs."""
    is_busy = about["machine"]["load"] > about["machine"]["cores"]
    if is_busy:
        rows = [{**row, "ratio": row.get("by_processor"), "target": None} for row in rows]
    rows = [row for row in rows if row.get("ratio") is not None and row["of"] == "peer" and row["backend"] in COLOURS]
    titles = list(dict.fromkeys(row["title"] for row in rows))
    left, right, top, step = 390, 60, 64, 26
    width, height = 980, top + step * len(titles) + 46
    low = min([row["ratio"][1] for row in rows] + [0.5])
    high = max([row["ratio"][2] for row in rows] + [2.0])
    drawing = Drawing(width, height)

    def x_of(ratio):
        return left + (math.log(ratio) - math.log(low)) / (math.log(high) - math.log(low)) * (width - left - right)

    drawing.text(12, 22, f"rota compared with {about['peer']}", more="font-weight='bold'")
    what = ("1 is the peer's processor time for an operation, more is better" if is_busy else "1 is the peer's speed (for memory: "
            "less is better); | is the target for io_uring")
    drawing.text(12, 40, f"{about['machine']['cores']} cores, Linux {about['machine']['kernel']}; {what}; a line from slowest "
                         "to fastest round")
    legend(drawing, left, 22, [("io_uring", "rota on io_uring"), ("epoll", "rota on epoll")])
    for ratio in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        if low <= ratio <= high:
            drawing.line(x_of(ratio), top - 8, x_of(ratio), height - 34, TEXT if ratio == 1 else FAINT)
            drawing.text(x_of(ratio), height - 18, f"{ratio:g}x", "middle")
    for i, title in enumerate(titles):
        y = top + step * i + 8
        drawing.text(left - 14, y + 4, title, "end")
        for row in (row for row in rows if row["title"] == title):
            colour = COLOURS[row["backend"]]
            place = y - 4 if row["backend"] == "io_uring" else y + 5
            median, slow, fast = row["ratio"]
            drawing.line(x_of(slow), place, x_of(fast), place, colour, 2, "stroke-opacity='0.5'")
            drawing.dot(x_of(median), place, colour)
            if row["backend"] == "io_uring" and row["target"] and low <= row["target"] <= high:
                drawing.line(x_of(row["target"]), y - 10, x_of(row["target"]), y + 2, colour, 2)
    return drawing.done()


def exponent(points):
    """The slope of the line through the points, both axes logarithmic: 0 is a cost that does not grow, 1 one that grows
    as the number of things does."""
    logs = [(math.log(n), math.log(cost)) for n, cost in points]
    if len(logs) < 2:
        return None
    x_mean, y_mean = (sum(values) / len(logs) for values in zip(*logs))
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean) ** 2 for x, _ in logs)


def growth(panels, about):
    """A plot for each kind of thing, both axes logarithmic: what one operation costs when there are n things, and as
    which power of n it grows."""
    panel_width, panel_height, top = 470, 300, 60
    rows = (len(panels) + 1) // 2
    drawing = Drawing(2 * panel_width, top + rows * panel_height)
    drawing.text(12, 22, f"Cost of one operation against the number of things; {about['machine']['cores']} cores, Linux "
                         f"{about['machine']['kernel']}", more="font-weight='bold'")
    legend(drawing, 17, 44, [("io_uring", "rota on io_uring"), ("epoll", "rota on epoll"), ("peer", about["peer"])])
    for i, panel in enumerate(panels):
        draw_panel(drawing, panel, (i % 2) * panel_width, top + (i // 2) * panel_height, panel_width, panel_height)
    return drawing.done()


def draw_panel(drawing, panel, x0, y0, width, height):
    points = [point for line in panel["lines"].values() for point in line]
    if not points:
        return
    left, right, top, bottom = x0 + 62, x0 + width - 16, y0 + 34, y0 + height - 36
    n_low, n_high = math.log10(min(n for n, _ in points)), math.log10(max(n for n, _ in points))
    cost_low = math.floor(math.log10(min(cost for _, cost in points)))
    cost_high = math.ceil(math.log10(max(cost for _, cost in points)))

    def x_of(n):
        return left + (math.log10(n) - n_low) / max(n_high - n_low, 1) * (right - left)

    def y_of(cost):
        return bottom - (math.log10(cost) - cost_low) / max(cost_high - cost_low, 1) * (bottom - top)

    drawing.text(left, y0 + 20, panel["operation"], more="font-weight='bold'")
    for row, (name, power) in enumerate((name, power) for name, power in panel.get("exponents", {}).items()
                                        if power is not None):
        drawing.text(right - 6, top + 14 + 15 * row, f"n^{power:.2f}", "end", COLOURS[name])
    for power in range(cost_low, cost_high + 1):
        cost = 10.0 ** power
        drawing.line(left, y_of(cost), right, y_of(cost))
        words = f"{cost:g} ns" if power < 3 else f"{cost / 1e3:g} us" if power < 6 else f"{cost / 1e6:g} ms"
        drawing.text(left - 8, y_of(cost) + 4, words, "end")
    for power in range(math.ceil(n_low), math.floor(n_high) + 1):
        drawing.line(x_of(10 ** power), top, x_of(10 ** power), bottom)
        drawing.text(x_of(10 ** power), bottom + 18, short(10 ** power), "middle")
    for name, line in panel["lines"].items():
        drawing.path([(x_of(n), y_of(cost)) for n, cost in line], COLOURS[name])
        for n, cost in line:
            drawing.dot(x_of(n), y_of(cost), COLOURS[name], 3)
