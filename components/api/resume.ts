"use client";

import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
// biome-ignore lint/style/noRestrictedImports: the types of all operations, and nothing of their code
import type { AppRouter } from "@/server/transports/trpc/root";

/** Asks the person to sign in again over the page; resolves to whether they did. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;
/** Reads of their own accord do not ask again what was declined. */
let declined = false;

/** Lets a dialog answer for a session that has ended. Returns what takes it away. */
export function onSessionEnd(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    ask = undefined;
  };
}

/** Waits for the person to sign in again. However many calls were refused, they are asked once. */
export function signedInAgain(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  asking ??= ask().then((again) => {
    asking = undefined;
    declined = !again;
    return again;
  });
  return asking;
}

/** For a call of the dialog itself: it waits for nobody. */
export const withoutResume = { context: { withoutResume: true } };

const SET_UP = "/settings/security";

/** The days for a second factor ended while a page was open: the page where it is set up says why. */
function toSetUp(): void {
  if (window.location.pathname !== SET_UP) window.location.assign(SET_UP);
}

/** Repeats a call that found the session ended, once the person has signed in again. */
export const resume: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const attempt = (last: boolean) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (error.data?.error === "second_factor_required") toSetUp();
            const ended = error.data?.error === "unauthenticated";
            const quiet = op.context.withoutResume || (op.type === "query" && declined);
            if (last || !ended || quiet) return observer.error(error);
            void signedInAgain().then((again) => {
              if (again) running = attempt(true);
              else observer.error(error);
            });
          },
        });
      let running = attempt(false);
      return () => running.unsubscribe();
    });
