// What is written on a page, and where it lies. Part of every tab's `tab` (screen.py).
Object.assign(tab, {
  // Every written thing of a chart with the box of its ink, and the box of the picture it must lie in. The
  // browser's box is the line's; what a level line leaves empty above and below its letters comes off.
  pen: document.createElement("canvas").getContext("2d"),
  ink: (e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect(),
      look = getComputedStyle(e);
    if (bottom - top > 1.7 * parseFloat(look.fontSize)) return [left, top, right, bottom];
    tab.pen.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
    const m = tab.pen.measureText(e.textContent),
      blank = (end) => tab.pen.measureText(e.textContent.match(end)[0]).width;
    return [
      left + blank(/^\u2003*/),
      top + m.fontBoundingBoxAscent - m.actualBoundingBoxAscent,
      right - blank(/\u2003*$/),
      bottom - m.fontBoundingBoxDescent + m.actualBoundingBoxDescent,
    ];
  },
  // Chromium calls a text of a picture visible whose group is not drawn: it has no width.
  seen: (e) =>
    e.textContent.trim() &&
    e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    e.getBoundingClientRect().width > 0,
  words: (key) => {
    const size = (e) => parseFloat(getComputedStyle(e).fontSize);
    const g = typeof key === "string" ? tab.chart(key) : key;
    const frame = g.querySelector(".main-svg").getBoundingClientRect();
    return {
      frame: [frame.left, frame.top, frame.right, frame.bottom],
      words: [...g.querySelectorAll("svg text")].filter(tab.seen).map((e) => {
        const box = tab.ink(e);
        const turned = /rotate\((?!0[,)])/.test(e.getAttribute("transform")); // its box is larger than its ink
        return { text: e.textContent, box, size: size(e), turned };
      }),
    };
  },
  // The same of every chart on the page, or only of those that the player moves.
  everything: (moved) => {
    const charts = tab.charts().filter((g) => !moved || lab.chart(g).film);
    return Object.fromEntries(charts.map((g) => [tab.key(g), tab.words(g)]));
  },
  *deep(root = document) {
    for (const e of root.querySelectorAll("*")) {
      yield e;
      if (e.shadowRoot) yield* tab.deep(e.shadowRoot);
    }
  },
});
