import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { registeredDomains } from "@/server/core/domain";
import { collectProcessMetrics, registry } from "@/server/core/metrics";
import "@/server/domains";
import { METRICS } from "@/server/metrics-server";
import "@/server/transports/pages/process";

const operating = readFileSync("docs/operating.md", "utf8");
const rows = JSON.parse(readFileSync("messages/en/health.json", "utf8")).rows as Record<string, string>;

it("every part of the health page has its paragraph for operators", () => {
  const headings = operating.split("\n").filter((line) => line.startsWith("### "));
  const parts = [
    ...Object.keys(rows),
    ...registeredDomains().flatMap((each) => Object.keys(each.checks ?? {})),
    ...["jobs", "mail", "media", "redis"],
  ];
  expect(parts.filter((name) => !headings.some((line) => line.includes(`\`${name}\``)))).toEqual([]);
});

it("every panel of the dashboard asks for metrics that there are", async () => {
  collectProcessMetrics();
  const known = new Set(Object.keys(METRICS).map((name) => `tellal_${name}`));
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    known.add(name);
    // prom-client's types say numbers, its values are words.
    if (String(type) === "histogram")
      for (const part of ["bucket", "count", "sum"]) known.add(`${name}_${part}`);
  }
  const { panels } = JSON.parse(readFileSync("deploy/grafana.json", "utf8")) as {
    panels: Array<{ title: string; targets?: Array<{ expr: string }> }>;
  };
  const asked = panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:tellal|process|nodejs)_\w+/g)].map(([name]) => ({ title, name })),
    ),
  );
  expect(asked.length).toBeGreaterThan(panels.length / 2);
  expect(asked.filter(({ name }) => !known.has(name))).toEqual([]);
  const alarms = [...operating.matchAll(/`((?:tellal|nodejs)_\w+)/g)].map(([, name]) => name!);
  expect(alarms.filter((name) => !known.has(name))).toEqual([]);
});
