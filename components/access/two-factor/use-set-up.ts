"use client";

import { useState } from "react";
import { api } from "@/components/api/client";
import type { TotpStart } from "./types";

export type Stage =
  | { at: "scan"; start: TotpStart }
  | { at: "text"; phone: string }
  | { at: "codes"; codes: readonly string[] }
  | { at: "check"; codes: readonly string[] };

export interface SetUp {
  open: boolean;
  /** Stays set during the closing animation. */
  stage: Stage | undefined;
  show: (stage: Stage) => void;
  close: () => void;
  refresh: () => Promise<void>;
}

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
