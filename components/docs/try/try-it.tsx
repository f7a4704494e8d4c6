"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { buttonStyle } from "@/components/ui/button-style";
import { announce } from "@/components/ui/live-regions";
import { setCredential, useCredential } from "./credential";
import { KeyChoice } from "./key-choice";
import { RequestFields } from "./request-fields";
import { ResponseView } from "./response";
import { fillPlaceholders, type TryFormData, type TryValues } from "./try-form-data";
import { buildRequest, findMissingFields, sendRequest, type TryResponse } from "./try-request";

export interface TryItProps {
  operationId: string;
  basePath: string;
  loadErrorText: string;
}

export function TryIt({ operationId, basePath, loadErrorText }: TryItProps) {
  const [spec, setSpec] = useState<TryFormData | null>();
  useEffect(() => {
    const controller = new AbortController();
    fetch(`/docs/try/${encodeURIComponent(operationId)}`, { signal: controller.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then(setSpec)
      .catch(() => controller.signal.aborted || setSpec(null));
    return () => controller.abort();
  }, [operationId]);
  if (spec === null) return <p role="alert">{loadErrorText}</p>;
  return spec ? <TryForm spec={spec} basePath={basePath} /> : <div aria-busy className="min-h-80" />;
}

function getInitialValues(spec: TryFormData): TryValues {
  const getFieldValues = (fields: TryFormData["params"]) =>
    Object.fromEntries(fields.map(({ name, required, sample }) => [name, required ? sample : ""]));
  return {
    params: getFieldValues(spec.params),
    query: getFieldValues(spec.query),
    body: spec.body ?? "",
    idempotencyKey: "",
    file: null,
  };
}

function TryForm({ spec, basePath }: { spec: TryFormData; basePath: string }) {
  const { texts } = spec;
  const id = useId();
  const credential = useCredential();
  const [values, setValues] = useState(() => getInitialValues(spec));
  const [problem, setProblem] = useState("");
  const [isConfirming, setIsConfirming] = useState(false);
  const [activeRequest, setActiveRequest] = useState<AbortController>();
  const [response, setResponse] = useState<TryResponse>();
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isConfirming) cancelButton.current?.focus();
  }, [isConfirming]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (activeRequest) return;
    const validationError = findProblem(spec, values);
    setProblem(validationError);
    if (validationError) return;
    if (spec.needsConfirmation) setIsConfirming(true);
    else void submitRequest();
  }

  async function submitRequest() {
    const controller = new AbortController();
    setIsConfirming(false);
    setActiveRequest(controller);
    setResponse(undefined);
    try {
      const result = await sendRequest(buildRequest(spec, values, credential?.secret), controller.signal);
      if (result.status === 401 && credential?.isTemporary) setCredential(null);
      setResponse(result);
      announce(`${texts.answer}: HTTP ${result.status}`);
    } catch {
      setProblem(controller.signal.aborted ? texts.stopped : texts.network);
    } finally {
      setActiveRequest(undefined);
    }
  }

  return (
    <form
      onSubmit={handleSubmit}
      noValidate
      autoComplete="off"
      aria-label={fillPlaceholders(texts.form, { name: spec.id })}
      className="mt-4 grid gap-6 rounded-card border border-border-strong/55 p-4 xl:grid-cols-2"
    >
      <div className="flex min-w-0 flex-col gap-5">
        {spec.access === "token" ? (
          <KeyChoice spec={spec} basePath={basePath} />
        ) : (
          <p className="text-fg-muted text-sm">{texts.public}</p>
        )}
        <RequestFields spec={spec} values={values} onChange={setValues} />
        {spec.method === "GET" ? null : (
          <p className="text-sm text-warning-text">{fillPlaceholders(texts.writes, { name: spec.id })}</p>
        )}
        <p role="alert" className="text-danger-text text-sm empty:hidden">
          {problem}
        </p>
        {isConfirming ? (
          <div
            role="alertdialog"
            aria-labelledby={`${id}-asks`}
            className="flex flex-col gap-3 rounded-card border border-current/20 bg-warning-soft p-4"
          >
            <p id={`${id}-asks`} className="text-fg text-sm">
              {fillPlaceholders(texts.asks, { name: spec.id })}
            </p>
            <div className="flex flex-wrap gap-2">
              <button
                type="button"
                onClick={submitRequest}
                className={buttonStyle({ size: "sm", variant: "danger" })}
              >
                {fillPlaceholders(texts.yes, { name: spec.id })}
              </button>
              <button
                ref={cancelButton}
                type="button"
                onClick={() => setIsConfirming(false)}
                className={buttonStyle({ size: "sm" })}
              >
                {texts.no}
              </button>
            </div>
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <button
              type="submit"
              aria-disabled={activeRequest !== undefined}
              className={buttonStyle({ variant: "primary" })}
            >
              {activeRequest ? texts.sending : texts.send}
            </button>
            {activeRequest ? (
              <button
                type="button"
                onClick={() => activeRequest.abort()}
                className={buttonStyle({ variant: "ghost" })}
              >
                {texts.stop}
              </button>
            ) : null}
          </div>
        )}
      </div>
      <section
        aria-label={texts.answer}
        aria-busy={activeRequest !== undefined}
        className="flex min-w-0 flex-col gap-3"
      >
        <h3 className="font-medium text-sm">{texts.answer}</h3>
        {response ? (
          <ResponseView spec={spec} response={response} />
        ) : (
          <p className="text-fg-muted text-sm">{texts.nothing}</p>
        )}
      </section>
    </form>
  );
}

/** Checks only what makes a request impossible; the server validates the rest. */
function findProblem(spec: TryFormData, values: TryValues): string {
  const { texts } = spec;
  const missing = findMissingFields(spec, values);
  if (missing.length > 0) return fillPlaceholders(texts.missing, { fields: missing.join(", ") });
  if (spec.body === null) return "";
  try {
    JSON.parse(values.body);
    return "";
  } catch (error) {
    return fillPlaceholders(texts.badJson, { reason: (error as Error).message });
  }
}
