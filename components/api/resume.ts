"use client";

import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
// biome-ignore lint/style/noRestrictedImports: a type-only import
import type { AppRouter } from "@/server/transports/trpc/root";

/** Asks the user to sign in again over the page; resolves to whether they did. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;
/** After the user declined, background queries do not ask again. */
let declined = false;

/** Registers the dialog for ended sessions. Returns a function that removes it. */
export function onSessionEnd(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    ask = undefined;
  };
}

/** Asks the user to sign in again; concurrent calls share one dialog. */
export function signedInAgain(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  asking ??= ask().then((again) => {
    asking = undefined;
    declined = !again;
    return again;
  });
  return asking;
}

/** Options for calls of the dialog itself, which must not wait for it. */
export const withoutResume = { context: { withoutResume: true } };

const SET_UP = "/settings/security";

/** The deadline of the two-factor requirement has passed; the security page explains it. */
function toSetUp(): void {
  if (window.location.pathname !== SET_UP) window.location.assign(SET_UP);
}

/** Repeats a call that failed because the session had ended, after the user has signed in again. */
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
