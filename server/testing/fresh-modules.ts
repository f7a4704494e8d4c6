import { vi } from "vitest";

/*
 * A thread runs many test files and loads packages once. Our own modules are fresh for each file: they read settings
 * and open connections when they are first used.
 */
vi.resetModules();
// Settings, too: programs that a file starts get all of them.
vi.unstubAllEnvs();
// What they keep for the whole process, too; a clock that the file before has left must not open its database again.
const shared = globalThis as Record<string, unknown> & { tellalKeyUseTimer?: NodeJS.Timeout };
clearTimeout(shared.tellalKeyUseTimer);
for (const name of Object.keys(shared)) if (name.startsWith("tellal")) delete shared[name];
// Each file listens for the end of the process, and for a reader of its log that goes away.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
