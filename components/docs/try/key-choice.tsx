import { lazy, Suspense, useId, useState } from "react";
import { toFormError } from "@/components/api/form-error";
import { publicCall } from "@/components/api/public-call";
import { buttonStyle } from "@/components/ui/button-style";
import { Input } from "@/components/ui/input";
import { isSiteKey, setCredential, useCredential } from "./credential";
import { fillPlaceholders, type TryFormData } from "./try-form-data";

// Lazy, because only the panel has the dialog for a proof of identity; the public page needs no code for it.
const ProvenKeyButton = lazy(() =>
  import("./proven-key-button").then((file) => ({ default: file.ProvenKeyButton })),
);

export interface KeyChoiceProps {
  spec: TryFormData;
  basePath: string;
}

export function KeyChoice({ spec, basePath }: KeyChoiceProps) {
  const { texts } = spec;
  const id = useId();
  const credential = useCredential();
  const [problem, setProblem] = useState("");
  const isInPanel = basePath.startsWith("/developers");

  async function createAndUseKey(createKey: () => Promise<string | undefined>) {
    setProblem("");
    try {
      const secret = await createKey();
      if (secret) setCredential({ secret, isTemporary: true });
    } catch (cause) {
      const { message } = toFormError(cause);
      setProblem(message || texts.network);
    }
  }

  const createTryKey = async (scope: "read" | "all") =>
    (await publicCall.tokens.tryKey.mutate({ body: { scope } })).token;
  const secret = credential?.secret ?? "";
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-medium text-sm">{texts.credential}</legend>
      {spec.isSignedIn ? (
        <div className="flex flex-col gap-1.5">
          <div className="flex flex-wrap gap-2">
            <button
              type="button"
              onClick={() => createAndUseKey(() => createTryKey("read"))}
              className={buttonStyle({ size: "sm" })}
            >
              {texts.makeRead}
            </button>
            {isInPanel ? (
              <Suspense>
                <ProvenKeyButton
                  label={texts.makeAll}
                  createKey={() => createTryKey("all")}
                  createAndUseKey={createAndUseKey}
                />
              </Suspense>
            ) : (
              <a
                href={`/developers/docs/${spec.pageSlug}#${spec.id}`}
                className={buttonStyle({ size: "sm" })}
              >
                {texts.inPanel}
              </a>
            )}
          </div>
          <p className="text-caption text-fg-muted">{texts.madeText}</p>
        </div>
      ) : (
        <p className="text-sm">
          <a
            href={`/sign-in?next=${encodeURIComponent(`/developers/docs/${spec.pageSlug}`)}`}
            className="text-primary-text underline underline-offset-4"
          >
            {texts.signIn}
          </a>
        </p>
      )}
      {spec.demoAccounts.length > 0 ? (
        <div className="flex flex-col gap-1.5">
          <div className="flex flex-wrap gap-2">
            {spec.demoAccounts.map((account) => (
              <button
                key={account.email}
                type="button"
                onClick={() => createAndUseKey(() => fetchDemoToken(account, texts.noToken))}
                className={buttonStyle({ size: "sm" })}
              >
                <bdi dir="ltr">{account.email}</bdi>
              </button>
            ))}
          </div>
          <p className="text-caption text-fg-muted">{texts.demoText}</p>
        </div>
      ) : null}
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="text-sm">
          {texts.paste}
        </label>
        <div className="doc-secret flex flex-wrap gap-2">
          <div className="min-w-40 flex-1">
            <Input
              id={id}
              dir="ltr"
              size="sm"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              data-1p-ignore
              data-lpignore="true"
              value={secret}
              onChange={({ target }) => setCredential({ secret: target.value.trim() })}
              aria-describedby={`${id}-hint`}
            />
          </div>
          {secret ? (
            <button
              type="button"
              onClick={() => setCredential(null)}
              className={buttonStyle({ size: "sm", variant: "ghost" })}
            >
              {texts.forget}
            </button>
          ) : null}
        </div>
        <p id={`${id}-hint`} className="text-caption text-fg-muted">
          {secret
            ? fillPlaceholders(texts.sentAs, {
                header: isSiteKey(secret) ? "X-API-Key" : "Authorization: Bearer",
              })
            : texts.pasteText}
        </p>
      </div>
      <p role="status" className="text-danger-text text-sm empty:hidden">
        {problem}
      </p>
    </fieldset>
  );
}

/** Signs in to a demo account and returns the token. Throws if this needs more than a password. */
async function fetchDemoToken(
  account: { email: string; password: string },
  noTokenText: string,
): Promise<string> {
  const response = await fetch("/api/auth/login", {
    method: "POST",
    credentials: "omit",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(account),
  });
  const body = (await response.json()) as { token?: string };
  if (!response.ok) throw body;
  if (!body.token) throw { message: noTokenText };
  return body.token;
}
