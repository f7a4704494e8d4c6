"use client";

import { useState } from "react";
import { api } from "@/components/api/client";
import type { TotpStart } from "./types";

/** Where the set-up dialog stands: the app's code to scan, a text message to wait for, new recovery codes, one of them to be typed back. */
export type Stage =
  | { at: "scan"; start: TotpStart }
  | { at: "text"; phone: string }
  | { at: "codes"; codes: readonly string[] }
  | { at: "check"; codes: readonly string[] };

export interface SetUp {
  open: boolean;
  /** Stays while the dialog closes. */
  stage: Stage | undefined;
  show: (stage: Stage) => void;
  close: () => void;
  /** Something about the factors changed: asks the server again. */
  refresh: () => Promise<void>;
}

/** The one dialog that the rows of the security page open. */
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
    refresh: () => utils.twoFactor.methods.invalidate(),
  };
}
