"use client";

import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
// biome-ignore lint/style/noRestrictedImports: a type-only import
import type { AppRouter } from "@/server/transports/trpc/root";

/** Resolves to whether the user has signed in. */
type SignInPrompt = () => Promise<boolean>;

let currentPrompt: SignInPrompt | undefined;
let pendingSignIn: Promise<boolean> | undefined;
/** After the user declined, background queries do not ask again. */
let hasDeclined = false;

/** Registers the prompt for ended sessions. Returns a function that removes it. */
export function registerSignInPrompt(prompt: SignInPrompt): () => void {
  currentPrompt = prompt;
  return () => {
    currentPrompt = undefined;
  };
}

/** Asks the user to sign in again; concurrent calls share one dialog. */
export function promptSignIn(): Promise<boolean> {
  if (!currentPrompt) return Promise.resolve(false);
  pendingSignIn ??= currentPrompt().then((hasSignedIn) => {
    pendingSignIn = undefined;
    hasDeclined = !hasSignedIn;
    return hasSignedIn;
  });
  return pendingSignIn;
}

/** Options for calls of the dialog itself, which must not wait for it. */
export const withoutSignInPrompt = { context: { withoutSignInPrompt: true } };

const SECURITY_SETTINGS_PATH = "/settings/security";

/** Opens the security page, which explains that the deadline of the two-factor requirement has passed. */
function openSecuritySettings(): void {
  if (window.location.pathname !== SECURITY_SETTINGS_PATH) window.location.assign(SECURITY_SETTINGS_PATH);
}

/** Repeats a call that failed because the session had ended, after the user has signed in again. */
export const resumeLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const attempt = (isLastAttempt: boolean) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            if (error.data?.error === "second_factor_required") openSecuritySettings();
            const hasSessionEnded = error.data?.error === "unauthenticated";
            const isSilent = op.context.withoutSignInPrompt || (op.type === "query" && hasDeclined);
            if (isLastAttempt || !hasSessionEnded || isSilent) return observer.error(error);
            void promptSignIn().then((hasSignedIn) => {
              if (hasSignedIn) subscription = attempt(true);
              else observer.error(error);
            });
          },
        });
      let subscription = attempt(false);
      return () => subscription.unsubscribe();
    });
