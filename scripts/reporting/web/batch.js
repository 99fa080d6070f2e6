// SPDX-License-Identifier: Apache-2.0
// A batch size: one number moves rate, time and memory, and names the command that writes it.
"use strict";

const batchPart = (() => {
  const columns = ["samples_per_s", "percent_of_max", "iteration_ms", "hours", "peak_bytes"];

  // As sim/system/skyline counts, in the same order of operations: the figures are equal to the bit.
  function at(model, batch, samples) {
    const iteration = model.run_time_slope_ms * batch + model.run_time_bias_ms;
    const rate = batch * 1000 / iteration;
    return {samples_per_s: rate, percent_of_max: 100 * (rate / model.max_samples_per_s),
            iteration_ms: iteration, hours: samples / rate / 3600,
            peak_bytes: model.memory_slope * batch + model.memory_bias};
  }

  // What a shell takes as one word.
  const word = (text) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  const shown = (value, scale, digits) => (value * scale).toLocaleString(
    "en", {minimumFractionDigits: digits, maximumFractionDigits: digits});

  function show(part, found, batch) {
    const digits = [1, 1, 2, 2, 2], rows = part.querySelectorAll("tbody")[0].rows;
    found.models.forEach((model, row) => {
      const said = at(model, batch, found.samples);
      columns.forEach((name, column) => {
        const figure = document.createElement("data");
        figure.value = said[name];
        figure.textContent = shown(said[name], name === "peak_bytes" ? 1e-9 : 1, digits[column]);
        rows[row].cells[column + 1].replaceChildren(figure);
      });
    });
    part.querySelector("output").textContent = `${batch} samples, of at most ${found.largest} that `
      + `${found.memory_gb} GB hold`;
    part.querySelector(".command").textContent =
      `scripts/tdjob plan ${word(found.scenario)} --set plan.batch=${batch} --write`;
  }

  function refuse(part, found) {
    part.querySelector("output").textContent = `legal: 1 to ${found.largest}, which `
      + `${found.memory_gb} GB hold`;
    part.querySelector(".command").textContent = "";
  }

  // Places to jump to: the limits of each hardware, where memory holds them.
  function jumps(part, found, choose) {
    const place = part.querySelector(".jumps");
    const offer = (text, batch) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.dataset.batchSize = batch;
      button.addEventListener("click", () => choose(batch));
      place.append(button, " ");
    };
    for (const model of found.models) {
      const batch = Math.ceil(model.batch_at_80_percent_of_max);
      if (batch <= found.largest) offer(`80 % of the most, ${model.hardware}`, batch);
    }
    offer("full memory", found.largest);
  }

  // The lines that the charts draw, and the points behind them.
  function tables(found) {
    const lines = [], points = [], steps = 100;
    for (const model of found.models) {
      const add = (table, batch, said) => table.push({
        hardware: model.hardware, batch, rate: said.samples_per_s, iteration: said.iteration_ms,
        memory: said.peak_bytes / 1e9});
      for (let step = 0; step <= steps; ++step) {
        const batch = 1 + (found.largest - 1) * step / steps;
        add(lines, batch, at(model, batch, found.samples));
      }
      for (const one of model.measured) {
        add(points, one.batch, {samples_per_s: one.batch * 1000 / one.run_time_ms,
                                iteration_ms: one.run_time_ms, peak_bytes: one.peak_bytes});
      }
    }
    return {lines, points};
  }

  // Returns what draws the part's charts.
  return (part) => {
    const found = page.values.batches[Number(part.dataset.batch)];
    const figure = part.querySelector("figure");
    const [slider, field] = part.querySelectorAll("input");
    let batch = Number(slider.value);
    const choose = (value, typed = false) => {
      batch = value;
      slider.value = batch;
      if (!typed) field.value = batch;  // nobody's typing is changed
      show(part, found, batch);
      page.views.get(figure)?.signal("batch", batch).run();
    };
    slider.addEventListener("input", () => choose(Number(slider.value)));
    field.addEventListener("input", () => {
      const value = field.valueAsNumber;
      if (Number.isInteger(value) && value >= 1 && value <= found.largest) choose(value, true);
      else refuse(part, found);
    });
    jumps(part, found, choose);
    show(part, found, batch);
    return () => page.draw(figure, tables(found), {batch, full: found.memory_gb});
  };
})();
