// What is written on a page, where it lies, and what it stands on. Part of every tab's `tab` (screen.py).
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
    const tick = (e) => /^[xy]\d*tick$/.test(e.parentElement.getAttribute("class"));
    const plate = (e) => {
      const bg = e.closest(".annotation")?.querySelector("rect.bg"),
        look = bg && getComputedStyle(bg);
      return !!bg && look.fill !== "none" && +look.fillOpacity > 0.5;
    };
    const g = typeof key === "string" ? tab.chart(key) : key;
    const frame = g.querySelector(".main-svg").getBoundingClientRect(),
      strokes = tab.strokes(g);
    return {
      frame: [frame.left, frame.top, frame.right, frame.bottom],
      words: [...g.querySelectorAll("svg text")].filter(tab.seen).map((e) => {
        const box = tab.ink(e);
        const turned = /rotate\((?!0[,)])/.test(e.getAttribute("transform")); // its box is larger than its ink
        return {
          text: e.textContent,
          box,
          size: size(e),
          tick: tick(e),
          turned,
          over: tick(e) ? [] : tab.over(box, strokes, plate(e)),
        };
      }),
    };
  },
  // The same of every chart on the page, or only of those that the player moves, and of a stage that is no chart.
  everything: (moved) => {
    const found = Object.fromEntries(
      tab
        .charts()
        .filter((g) => !moved || lab.chart(g).film)
        .map((g) => [tab.key(g), tab.words(g)]),
    );
    const own = tab.own();
    return own ? { ...found, stage: own } : found;
  },
  rgba: (c) => {
    tab.pen.fillStyle = "#000";
    tab.pen.fillStyle = c;
    const said = tab.pen.fillStyle;
    return said[0] === "#"
      ? [...[1, 3, 5].map((i) => parseInt(said.slice(i, i + 2), 16)), 1]
      : said.match(/[\d.]+/g).map(Number);
  },
  // Lines and marks of a chart in the window's pixels, and the areas in the background's colour that cover them.
  strokes: (g) => {
    const L = g._fullLayout,
      home = g.querySelector(".main-svg").getBoundingClientRect(),
      paper = tab.rgba(L.paper_bgcolor);
    const veils = (c) => {
      const v = tab.rgba(c);
      return v[3] > 0.7 && [0, 1, 2].every((i) => v[i] === paper[i]);
    };
    const found = [];
    g._fullData.forEach((t) => {
      if (t.type !== "scatter" || t.visible !== true) return;
      const X = L[t.xaxis.replace("x", "xaxis")],
        Y = L[t.yaxis.replace("y", "yaxis")];
      const [left, top] = [home.left + X._offset, home.top + Y._offset],
        shape = t.line?.shape;
      const panel = [left, top, left + X._length, top + Y._length],
        path = [];
      for (const [k, v] of Array.from(t.x ?? []).entries()) {
        const p = [left + X.d2p(v), top + Y.d2p(t.y[k])],
          last = path.at(-1);
        const there = p.every(Number.isFinite);
        if (there && last && shape === "hv") path.push([p[0], last[1]]);
        path.push(there ? p : null);
      }
      const alpha = (c) => (typeof c === "string" ? tab.rgba(c)[3] : 1) * (t.opacity ?? 1);
      if (t.fill === "toself" && veils(t.fillcolor)) found.push({ cover: path, panel });
      else if (t.mode.includes("lines") && t.fill !== "toself" && t.line.width > 1 && alpha(t.line.color) > 0.6)
        // thinner ones lead to names
        found.push({ line: path, panel });
      if (t.mode.includes("markers") && path.length <= 40) {
        const of = (v, k) => (Array.isArray(v) || ArrayBuffer.isView(v) ? v[k] : v);
        if ((of(t.marker.opacity, 0) ?? 1) * (t.opacity ?? 1) > 0.3)
          found.push({ marks: path.map((p, k) => p && [...p, of(t.marker.size, k) / 2]), panel });
      }
    });
    for (const e of g.querySelectorAll(".shapelayer path")) {
      const look = getComputedStyle(e),
        box = e.getBoundingClientRect();
      const line = look.stroke !== "none" && parseFloat(look.strokeWidth) > 0 && Math.min(box.width, box.height) < 4;
      if (line && +look.strokeOpacity * tab.rgba(look.stroke)[3] > 0.5)
        found.push({
          panel: [home.left, home.top, home.right, home.bottom],
          line: [
            [box.left, box.top],
            [box.right, box.bottom],
          ],
        });
    }
    return found;
  },
  within: (p, path) => {
    let odd = false;
    const ring = path.filter(Boolean);
    ring.forEach(([x, y], i) => {
      const [u, v] = ring.at(i - 1);
      if (y > p[1] !== v > p[1] && p[0] < ((u - x) * (p[1] - y)) / (v - y) + x) odd = !odd;
    });
    return odd;
  },
  // The part of a segment inside a box, null without one (Liang and Barsky).
  clipped: ([x, y], [u, v], [l, t, r, b]) => {
    let from = 0,
      to = 1;
    for (const [d, q] of [
      [x - u, x - l],
      [u - x, r - x],
      [y - v, y - t],
      [v - y, b - y],
    ]) {
      if (d === 0 && q < 0) return null;
      if (d < 0) from = Math.max(from, q / d);
      if (d > 0) to = Math.min(to, q / d);
    }
    return from < to
      ? [
          [x + from * (u - x), y + from * (v - y)],
          [x + to * (u - x), y + to * (v - y)],
        ]
      : null;
  },
  // What a text stands on: "end" of a line, "mark", and "cursor": an upright line of two points through the middle of
  // its letters, where it has no plate.
  over: (box, strokes, plate) => {
    const [l, t, r, b] = box,
      found = new Set(),
      off = 0.3 * Math.min(b - t, 20),
      middle = [l + 2, t + off, r - 2, b - off];
    const open = (p, i) => !strokes.slice(i + 1).some((s) => s.cover && tab.within(p, s.cover));
    strokes.forEach((s, i) => {
      const [pl, pt, pr, pb] = s.panel;
      const here = ([x, y], pad = 0) =>
        x > Math.max(l, pl - 1) - pad &&
        x < Math.min(r, pr + 1) + pad &&
        y > Math.max(t, pt - 1) - pad &&
        y < Math.min(b, pb + 1) + pad;
      const core = [Math.max(middle[0], pl), Math.max(middle[1], pt), Math.min(middle[2], pr), Math.min(middle[3], pb)];
      s.line?.forEach((p, k) => {
        const next = s.line[k + 1];
        if (p && s.line[k - 1] && !next && here(p) && open(p, i)) found.add("end");
        const upright = p && next && !s.line[k - 1] && !s.line[k + 2] && Math.abs(p[0] - next[0]) < 1;
        const part = upright && !plate && core[0] < core[2] && core[1] < core[3] && tab.clipped(p, next, core);
        if (part && open([(part[0][0] + part[1][0]) / 2, (part[0][1] + part[1][1]) / 2], i)) found.add("cursor");
      });
      s.marks?.forEach((m) => {
        if (m && m[2] > 0 && here(m, 0.7 * m[2] - 2) && open(m, i)) found.add("mark");
      });
    });
    return [...found];
  },
  // The texts of the stage that is no chart.
  own: () => {
    const game = [...tab.deep()].find((e) => e.matches(".game .stage svg")),
      home = game?.getBoundingClientRect();
    if (!home) return null;
    const words = [...game.querySelectorAll("text")]
      .filter(tab.seen)
      .map((e) => ({ text: e.textContent, box: tab.ink(e), over: [] }));
    return { frame: [home.left, home.top, home.right, home.bottom], words };
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
