"use client";

import { type ComponentType, lazy, Suspense, useState } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { LoadError } from "./load-error";
import { HintError, PopupError } from "./popups/popup-error";
import { PopupPlaceholder } from "./popups/popup-placeholder";
import { SkeletonRows } from "./skeleton";
import { useHydrating } from "./use-hydrating";

interface LazyPartOptions<Props> {
  loading?: ComponentType<Props>;
  failed?: ComponentType<FallbackProps & Props>;
  /** Loads the part once the page is idle: it must open without a connection, too. */
  loadsEarly?: boolean;
}

export type LazyPart<Props> = ComponentType<Props> & { preload: () => void };

/** Props of the control that opens the part. */
export function getPreloadProps({ preload }: { preload: () => void }) {
  return { onPointerEnter: preload, onFocus: preload };
}

/** Options of a dialog, drawer or menu. */
export const POPUP = { loading: PopupPlaceholder, failed: PopupError };
/** Options of a hint, which the page can do without. */
export const HINT = { loading: () => null, failed: HintError };

/** Part of a page that the browser loads on first use. If that fails, the rest of the page keeps its input. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading: Loading = FormSkeleton, failed: Failed = LoadError, loadsEarly }: LazyPartOptions<Props> = {},
): LazyPart<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loadOnce = () =>
    load().then((component) => {
      Loaded = component;
      return { default: component };
    });

  // biome-ignore lint/correctness/noComponentHookFactories: called once per module, never while rendering
  function LazyPart(props: Props) {
    // A preloaded part renders immediately: React would show the fallback for at least 300 ms.
    const [Part, setPart] = useState<ComponentType<Props>>(() => Loaded ?? lazy(loadOnce));
    const isHydrating = useHydrating();
    // A lazy component keeps its failure.
    const retry = () => setPart(() => lazy(loadOnce));
    if (isHydrating) return <Loading {...props} />;
    return (
      <ErrorBoundary fallbackRender={(failure) => <Failed {...props} {...failure} />} onReset={retry}>
        <Suspense fallback={<Loading {...props} />}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  }

  const preload = () => void loadOnce().catch(() => undefined);
  if (loadsEarly && typeof window !== "undefined") whenIdle(preload);
  return Object.assign(LazyPart, { preload });
}

const FormSkeleton = () => <SkeletonRows rowCount={3} />;

/** Time for the page to finish its own requests. */
const IDLE_DELAY_MS = 2000;

function whenIdle(callback: () => void): void {
  const schedule = () => window.setTimeout(callback, IDLE_DELAY_MS);
  if (document.readyState === "complete") schedule();
  else window.addEventListener("load", schedule, { once: true });
}
