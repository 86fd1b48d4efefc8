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
  // What the page does to its texts and buttons: how wide it is, texts that are cut or stand over a figure, and
  // what is pressed and smaller than `least` pixels.
  page: (least) => {
    const up = (e) => e.parentElement ?? e.getRootNode().host ?? null,
      main = document.querySelector("[data-testid=stMain]");
    const chain = function* (e) {
      for (; e; e = up(e)) yield [e, getComputedStyle(e)];
    };
    const say = (e) => (e.getAttribute("aria-label") || e.textContent || e.className).trim().slice(0, 40);
    const all = [...tab.deep()].filter(
      (e) =>
        !e.closest("svg, .katex, script, style") &&
        e.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
    const shown = (frame) => {
      let [l, t, r, b] = frame[1];
      for (const [e, look] of chain(frame[0]))
        if (/auto|scroll|hidden|clip/.test(look.overflowX)) {
          const box = e.getBoundingClientRect();
          [l, r] = [Math.max(l, box.left), Math.min(r, box.right)];
        }
      return [l, t, r, b];
    };
    // What a list that scrolls by itself shows of a box.
    const visible = (e, [l, t, r, b]) => {
      for (const [a, look] of chain(e))
        if (a !== main && /auto|scroll/.test(look.overflowY)) {
          const box = a.getBoundingClientRect();
          [l, t, r, b] = [Math.max(l, box.left), Math.max(t, box.top), Math.min(r, box.right), Math.min(b, box.bottom)];
        }
      return [l, t, r, b];
    };
    const figures = [...tab.charts(), ...all.filter((e) => e.matches("canvas"))].map((e) => {
      const box = (e.querySelector(".main-svg") ?? e).getBoundingClientRect();
      return shown([e, [box.left, box.top, box.right, box.bottom]]);
    });
    const cut = new Set(),
      over = new Set(),
      small = new Set();
    for (const e of all) {
      if (e.closest(".js-plotly-plot")) continue;
      const range = document.createRange(),
        boxes = [...e.childNodes]
          .filter((n) => n.nodeType === 3 && n.data.trim())
          .flatMap((n) => {
            range.selectNodeContents(n);
            return [...range.getClientRects()];
          })
          .filter((b) => b.width > 2 && b.height > 2);
      if (!boxes.length) continue;
      const [l, t, r, b] = [
        Math.min(...boxes.map((x) => x.left)),
        Math.min(...boxes.map((x) => x.top)),
        Math.max(...boxes.map((x) => x.right)),
        Math.max(...boxes.map((x) => x.bottom)),
      ];
      if (r <= 0 || b + main.scrollTop <= 0) continue; // beside the page until it has the focus
      if (
        [...chain(e)].some(
          ([a, look]) => /hidden|clip/.test(look.overflowX) && Math.min(a.offsetWidth, a.offsetHeight) < 3,
        )
      )
        continue;
      let across = true,
        down = true,
        floats = false;
      for (const [a, look] of chain(e)) {
        if (/fixed|sticky/.test(look.position)) floats = true;
        const box = a.getBoundingClientRect();
        if (across && /hidden|clip/.test(look.overflowX) && (l < box.left - 2 || r > box.right + 2)) cut.add(say(e));
        if (down && /hidden|clip/.test(look.overflowY) && (t < box.top - 3 || b > box.bottom + 3)) cut.add(say(e));
        if (/auto|scroll/.test(look.overflowX)) across = across && a === main;
        if (/auto|scroll/.test(look.overflowY)) down = false;
      }
      if (across && (l < -2 || r > main.clientWidth + main.getBoundingClientRect().left + 2)) cut.add(say(e));
      const [vl, vt, vr, vb] = visible(e, [l, t, r, b]);
      if (!floats)
        for (const [fl, ft, fr, fb] of figures) {
          if (Math.min(vr, fr) - Math.max(vl, fl) > 3 && Math.min(vb, fb) - Math.max(vt, ft) > 3) over.add(say(e));
        }
    }
    const pressed =
      "button, a[href], input, select, summary, textarea, [role=button], [role=slider], [role=tab], [role=switch], [role=radio]";
    for (const e of least ? all.filter((e) => e.matches(pressed)) : []) {
      const spots = [e, e.closest("label"), e.closest(".stSlider [role=group], .stSelectbox [role=group]")]
        .filter(Boolean)
        .map((x) => x.getBoundingClientRect());
      const inline =
        (e.matches("a") && getComputedStyle(e).display === "inline") || Math.min(e.offsetWidth, e.offsetHeight) < 3;
      if (!inline && spots.every((s) => Math.min(s.width, s.height) < least - 0.5)) {
        const box = e.getBoundingClientRect();
        small.add(`${e.tagName.toLowerCase()} ${say(e)} ${Math.round(box.width)}x${Math.round(box.height)}`);
      }
    }
    return {
      wide: Math.max(main.scrollWidth + innerWidth - main.clientWidth, document.documentElement.scrollWidth),
      cut: [...cut],
      over: [...over],
      small: [...small],
    };
  },
  bar: () => [...tab.deep()].find((e) => e.matches(".player input")),
});
