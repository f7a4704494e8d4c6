import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { API } from "typescript/unstable/sync";
import {
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { findMutants, type Mutant } from "./lib/mutants";
import { root } from "./lib/steps.mjs";
import { readArguments } from "./lib/usage.mjs";

/*
 * npm run mutate -- [--seed <n>] [--count <n>] [--part <i/n>] [--only <paths>] [--minutes <n>] [--list]
 *
 * Removes or turns round conditions, one at a time, in a copy of the project, and runs the tests that should notice. A mutant
 * that survives lacks a test, or changes nothing; a person decides. CONTRIBUTING.md describes the options.
 */
const { values } = readArguments(import.meta.url);
const option = (name: string, preset: string) => String(values[name] ?? preset);
const options = {
  seed: option("seed", String(Date.now() % 100_000_000)),
  count: option("count", "60"),
  only: option("only", ""),
  part: option("part", "1/1"),
  minutes: option("minutes", "60"),
  list: values.list === true,
};

/** Where conditions guard something: rules, statements, and the way to them. */
const GUARDING =
  /^server\/(domains\/.*\/(service\.ts|service\/.*\.ts|statements\.ts|policy\.ts)|core\/.*\.ts|transports\/.*\.ts|infrastructure\/rate-limit\/.*\.ts)$/;
/** Tests of every operation at once, for what the domain's own tests let live. */
const CROSSING =
  /\/(foreign-ids|conformance|mass-assignment|admission|gate-matrix|revocation|erasure|trpc)\.test\.ts$/;
/** Longest run of one mutant's tests. */
const LONGEST = 8 * 60_000;

type Outcome = {
  how: "killed" | "survived" | "timed out" | "does not load";
  by: string;
  /** The test file that failed. */
  file?: string;
};

const copy = copyOfProject();
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const files = readdirSync(join(copy, "server"), { recursive: true, encoding: "utf8" })
  .map((path) => `server/${path}`)
  .sort();
const tests = files.filter((path) => path.endsWith(".test.ts"));
const mutants = draw(
  mutantsOf(files.filter((path) => GUARDING.test(path) && !tests.includes(path))).filter((mutant) =>
    options.only.split(",").some((part) => place(mutant).includes(part)),
  ),
);
if (options.list) for (const mutant of mutants) print(`${place(mutant)}  ${shown(mutant)}`);
else await runAll();
process.exit(0);

/** Everything but what is built or stored; packages are linked, so that caches stay in the copy. */
function copyOfProject(): string {
  const to = mkdtempSync(join(tmpdir(), "tellal-mutants-"));
  const left = ["node_modules", ".git", ".next", ".data", "dist", "test-results"].map((name) =>
    join(root, name),
  );
  cpSync(root, to, { recursive: true, filter: (path) => !left.includes(path) });
  mkdirSync(join(to, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name === ".bin" || !name.startsWith("."))
      symlinkSync(join(root, "node_modules", name), join(to, "node_modules", name));
  return to;
}

function mutantsOf(paths: string[]): Mutant[] {
  const config = join(copy, "tsconfig.mutants.json");
  const compilerOptions = { noResolve: true, noLib: true, types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: paths }));
  const api = new API({ cwd: copy });
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
  const found = paths.flatMap((path) => findMutants(path, project!.program.getSourceFile(join(copy, path))!));
  api.close();
  return found;
}

/** Draws without putting back; the same seed draws the same mutants of the same sources. */
function draw(all: Mutant[]): Mutant[] {
  const count = Math.min(Number(options.count), all.length);
  print(`seed ${options.seed}: ${count} of ${all.length} mutants`);
  const random = generator(Number(options.seed));
  const left = [...all];
  const drawn = Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
  const [part = 1, parts = 1] = options.part.split("/").map(Number);
  return drawn.filter((_, index) => index % parts === part - 1);
}

/** Mulberry32: numbers from 0 to 1, the same for a seed. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function runAll(): Promise<void> {
  process.chdir(copy);
  const failures: Array<{ name: string; file: string }> = [];
  /** Test files that fail without a mutant, such as those that need a build, and those that pass. */
  const useless = new Set<string>();
  const useful = new Set<string>();
  let cancelled: Promise<void> | undefined;
  let vitest: Vitest;
  const reporter = {
    // Like `bail`, which would count the failures of the mutants before.
    onTestCaseResult: async (test: TestCase) => {
      if (test.result().state !== "failed") return;
      failures.push({ name: test.fullName, file: pathOf(test.module) });
      // Not awaited here: it ends after the worker that waits for this reporter.
      cancelled ??= vitest.cancelCurrentRun("test-failure");
    },
  };
  vitest = await createVitest("test", {
    root: copy,
    watch: false,
    // A worker that has loaded the server keeps it, and would not see the next mutant.
    isolate: true,
    testTimeout: 90_000,
    reporters: [reporter],
  });
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications();
  const until = Date.now() + Number(options.minutes) * 60_000;
  // The cheapest first: those of a domain with few test files.
  let left = mutants.toSorted((a, b) => testsNear(a).length - testsNear(b).length);
  const survived = new Map<Mutant, number>();
  for (const testsOf of [testsNear, testsFurther, testsElsewhere]) {
    const survivors: Mutant[] = [];
    for (const mutant of left) {
      const chosen = testsOf(mutant);
      const runs = chosen.length > 0 && Date.now() < until;
      const outcome = runs ? await tried(mutant, chosen) : undefined;
      if (outcome) report(mutant, outcome);
      if (outcome?.how === "survived") survived.set(mutant, (survived.get(mutant) ?? 0) + chosen.length);
      if (!outcome || outcome.how === "survived") survivors.push(mutant);
    }
    left = survivors;
  }
  await vitest.close();
  print(`\n${left.length} of ${mutants.length} are left, after so many test files:`);
  for (const mutant of left) print(`${survived.get(mutant) ?? 0}  ${place(mutant)}  ${shown(mutant)}`);

  async function tried(mutant: Mutant, chosen: string[]): Promise<Outcome> {
    for (;;) {
      const outcome = await underTest(mutant, chosen);
      const { how, file } = outcome;
      if (how !== "killed" || !file || useful.has(file)) return outcome;
      const { how: without } = await run(specificationsOf([file]));
      if (without === "survived") {
        useful.add(file);
        return outcome;
      }
      useless.add(file);
      print(`left out: ${file} fails without a mutant (${outcome.by})`);
    }
  }

  async function underTest(mutant: Mutant, chosen: string[]): Promise<Outcome> {
    const file = join(copy, mutant.path);
    const original = readFileSync(file, "utf8");
    writeFileSync(file, original.slice(0, mutant.start) + mutant.text + original.slice(mutant.end));
    vitest.invalidateFile(file);
    try {
      return await run(specificationsOf(chosen.filter((each) => !useless.has(each))));
    } finally {
      writeFileSync(file, original);
      vitest.invalidateFile(file);
    }
  }

  function specificationsOf(paths: string[]): TestSpecification[] {
    return specifications.filter((each) => paths.includes(pathOf(each)));
  }

  async function run(chosen: TestSpecification[]): Promise<Outcome> {
    failures.length = 0;
    cancelled = undefined;
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      cancelled ??= vitest.cancelCurrentRun("test-failure");
    }, LONGEST);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen);
    clearTimeout(limit);
    // Otherwise the next run would begin in a pool that still ends this one.
    await cancelled;
    const [first] = failures;
    if (first) return { how: "killed", by: first.name, file: first.file };
    if (late) return { how: "timed out", by: `${chosen.length} test files` };
    // The list also holds the files of the runs before.
    const ids = new Set(chosen.map(({ moduleId }) => moduleId));
    const broken = testModules.find((module) => ids.has(module.moduleId) && module.state() === "failed");
    if (broken)
      return {
        how: isLoaded(broken) ? "killed" : "does not load",
        by: errorOf(broken),
        file: pathOf(broken),
      };
    if (unhandledErrors.length > 0) return { how: "killed", by: String(unhandledErrors[0]) };
    return { how: "survived", by: `${chosen.length} test files` };
  }
}

function pathOf({ moduleId }: { moduleId: string }): string {
  return moduleId.slice(copy.length + 1);
}

function isLoaded(module: TestModule): boolean {
  return [...module.children.allTests()].length > 0;
}

function errorOf(module: TestModule): string {
  const [failed] = module.children.allTests("failed");
  const inHooks = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return (
    failed?.fullName ?? [...module.errors(), ...inHooks][0]?.message.split("\n")[0] ?? "for no reason given"
  );
}

/** The tests beside a file: those of its domain, or of its folder. */
function testsNear({ path }: Mutant): string[] {
  const home = homeOf(path);
  return tests.filter((test) => test.startsWith(home) && !test.slice(home.length).includes("/"));
}

/** Other tests that name the file's domain, by its folder or its paths, and those of every operation at once. */
function testsFurther(mutant: Mutant): string[] {
  const home = homeOf(mutant.path);
  const contract = files.includes(`${home}contract.ts`) ? read(`${home}contract.ts`) : "";
  const names = [home, ...[...contract.matchAll(/path: "([^"{]+)/g)].map(([, path]) => path!)];
  const near = testsNear(mutant);
  return tests.filter((test) => {
    if (near.includes(test)) return false;
    const text = read(test);
    return CROSSING.test(test) || names.some((name) => text.includes(name));
  });
}

function testsElsewhere(mutant: Mutant): string[] {
  const known = [...testsNear(mutant), ...testsFurther(mutant)];
  return tests.filter((test) => !known.includes(test));
}

function homeOf(path: string): string {
  return /^(server\/domains\/[\w-]+\/[\w-]+\/|.*\/)/.exec(path)![0];
}

function read(path: string): string {
  return readFileSync(join(copy, path), "utf8");
}

function place({ path, line }: Mutant): string {
  return `${path}:${line}`;
}

function shown({ path, change, start, end, text }: Mutant): string {
  const before = read(path).slice(start, end);
  return `${change}: ${before.replace(/\s+/g, " ")} → ${text.replace(/\s+/g, " ") || "nothing"}`;
}

function report(mutant: Mutant, { how, by }: Outcome): void {
  print(`${how.padEnd(13)} ${place(mutant)}  ${shown(mutant)}  (${by})`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
