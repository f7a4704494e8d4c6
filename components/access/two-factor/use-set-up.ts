"use client";

import { useState } from "react";
import { api } from "@/components/api/client";
import type { TotpStart } from "./types";

/**
 * The step of the set-up dialog: scan the app's code, wait for a text message, show new recovery codes, type one of
 * them.
 */
export type Stage =
  | { at: "scan"; start: TotpStart }
  | { at: "text"; phone: string }
  | { at: "codes"; codes: readonly string[] }
  | { at: "check"; codes: readonly string[] };

export interface SetUp {
  open: boolean;
  /** Stays set while the dialog closes. */
  stage: Stage | undefined;
  show: (stage: Stage) => void;
  close: () => void;
  /** Reloads the factors after a change. */
  refresh: () => Promise<void>;
}

/** The state of the dialog that all rows of the security page share. */
export function useSetUp(): SetUp {
  const utils = api.useUtils();
  const [stage, setStage] = useState<Stage>();
  const [open, setOpen] = useState(false);
  return {
    open,
    stage,
    show: (next) => {
      setStage(next);
      setOpen(true);
    },
    close: () => setOpen(false),
    refresh: async () => {
      await Promise.all([utils.twoFactor.list.invalidate(), utils.twoFactor.getDuty.invalidate()]);
    },
  };
}
