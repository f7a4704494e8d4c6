import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "./testing/processes";

it.each(["SIGTERM", "SIGINT"] as const)(
  "a program that is still starting ends by the supervisor's %s",
  async (signal) => {
    const child = fork(bundleProgram("follow-supervisor"));
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    child.send(signal);
    expect(await once(child, "exit")).toEqual([null, signal]);
  },
);
