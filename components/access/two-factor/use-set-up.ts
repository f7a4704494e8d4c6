"use client";

import { useState } from "react";
import { api } from "@/components/api/client";
import type { TotpStart } from "./types";

export type SetUpStage =
  | { kind: "scan"; totpStart: TotpStart }
  | { kind: "text"; phone: string }
  | { kind: "codes"; codes: readonly string[] }
  | { kind: "check"; codes: readonly string[] };

export interface SetUpState {
  open: boolean;
  /** Stays set during the closing animation. */
  stage: SetUpStage | undefined;
  show: (stage: SetUpStage) => void;
  close: () => void;
  refetchFactors: () => Promise<void>;
}

export function useFactorSetUp(): SetUpState {
  const utils = api.useUtils();
  const [stage, setStage] = useState<SetUpStage>();
  const [open, setOpen] = useState(false);
  return {
    open,
    stage,
    show: (next) => {
      setStage(next);
      setOpen(true);
    },
    close: () => setOpen(false),
    refetchFactors: async () => {
      await Promise.all([utils.twoFactor.list.invalidate(), utils.twoFactor.getDuty.invalidate()]);
    },
  };
}
