import { useEffect, useMemo, useState } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { createFormatter } from "@/components/ui/format";
import type { Locale } from "@/server/core/locale";
import { type TextToken, tokenize } from "./highlight-tokens";
import { fillPlaceholders, type TryFormData } from "./try-form-data";
import type { TryResponse } from "./try-request";

const TOKEN_CLASS: Record<TextToken["kind"], string | undefined> = {
  key: "text-info-text",
  string: "text-success-text",
  number: "text-warning-text",
  word: "text-danger-text",
  secret: undefined,
  rest: undefined,
};

const REVOKE_DELAY_MS = 60_000;

/** Renders the response as text only, so that its content cannot run as HTML. */
export function ResponseView({ spec, response }: { spec: TryFormData; response: TryResponse }) {
  const { texts, locale } = spec;
  const { status, headers, durationMs, body, retryAfterSeconds } = response;
  const { number: formatNumber } = createFormatter({ locale: locale as Locale, timeZone: "UTC" });
  const toneClass =
    status < 300 ? "text-success-text" : status < 500 ? "text-warning-text" : "text-danger-text";
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-4 text-sm">
        <strong dir="ltr" className={`font-mono ${toneClass}`}>
          {`HTTP ${status}`}
        </strong>
        <span className="text-fg-muted">
          {fillPlaceholders(texts.duration, { time: formatNumber(durationMs) })}
        </span>
      </p>
      {status === 401 ? <p className="text-danger-text text-sm">{texts.unauthorized}</p> : null}
      {retryAfterSeconds ? (
        <RetryCountdown
          key={durationMs}
          seconds={retryAfterSeconds}
          waitingText={texts.wait}
          doneText={texts.waited}
        />
      ) : null}
      {headers.length > 0 ? (
        <dl dir="ltr" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono text-caption">
          {headers.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-fg-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {body.kind === "none" ? <p className="text-fg-muted text-sm">{texts.noBody}</p> : null}
      {body.kind === "file" ? <FileBody blob={body.blob} name={body.name} spec={spec} /> : null}
      {body.kind === "text" ? <TextBody {...body} spec={spec} /> : null}
    </>
  );
}

function TextBody({
  text,
  isJson,
  isTruncated,
  spec,
}: {
  text: string;
  isJson: boolean;
  isTruncated: boolean;
  spec: TryFormData;
}) {
  const { texts } = spec;
  const [isRevealed, setIsRevealed] = useState(false);
  const tokens = useMemo(() => tokenize(text, isJson), [text, isJson]);
  const hasSecrets = tokens.some(({ kind }) => kind === "secret");
  return (
    <>
      {isTruncated ? <p className="text-sm text-warning-text">{texts.cut}</p> : null}
      {hasSecrets ? (
        <p>
          <button
            type="button"
            aria-pressed={isRevealed}
            onClick={() => setIsRevealed(!isRevealed)}
            className={buttonStyle({ size: "sm" })}
          >
            {texts.show}
          </button>
        </p>
      ) : null}
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-128 overflow-auto rounded-card border border-border bg-sunken p-4 font-mono text-caption"
      >
        <code>
          {tokens.map(({ kind, text: content }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces never change order
            <span key={index} className={TOKEN_CLASS[kind]}>
              {kind === "secret" && !isRevealed ? "••••••••" : content}
            </span>
          ))}
        </code>
      </pre>
    </>
  );
}

function FileBody({ blob, name, spec }: { blob: Blob; name: string; spec: TryFormData }) {
  const { texts, locale } = spec;
  const size = createFormatter({ locale: locale as Locale, timeZone: "UTC" }).number(
    Math.ceil(blob.size / 1024),
  );
  function saveFile() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // Some browsers read the file only after the click.
    window.setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY_MS);
  }
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-border bg-sunken p-4 text-sm">
      <p className="min-w-0 flex-1">
        <bdi dir="ltr" className="wrap-anywhere font-mono">
          {name}
        </bdi>{" "}
        <span className="text-fg-muted">{fillPlaceholders(texts.kilobytes, { size })}</span>
      </p>
      <button type="button" onClick={saveFile} className={buttonStyle({ size: "sm" })}>
        {texts.save}
      </button>
    </div>
  );
}

function RetryCountdown({
  seconds,
  waitingText,
  doneText,
}: {
  seconds: number;
  waitingText: string;
  doneText: string;
}) {
  const [remainingSeconds, setRemaining] = useState(seconds);
  useEffect(() => {
    const endsAt = Date.now() + seconds * 1000;
    const timer = window.setInterval(() => {
      const secondsLeft = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setRemaining(secondsLeft);
      if (secondsLeft === 0) window.clearInterval(timer);
    }, 250);
    return () => window.clearInterval(timer);
  }, [seconds]);
  return (
    <p className="text-sm text-warning-text">
      {remainingSeconds > 0 ? fillPlaceholders(waitingText, { seconds: remainingSeconds }) : doneText}
    </p>
  );
}
