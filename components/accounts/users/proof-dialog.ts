"use client";

import { type ComponentType, createContext } from "react";
import type { ProofMethod } from "./proof-method";

export interface ProofDialogProps {
  open: boolean;
  /** The action that needs the proof, as a phrase: "Create an API key". */
  action: string;
  methods: readonly ProofMethod[];
  /** Called once: proven, or closed without a proof. */
  onEnd: (proven: boolean) => void;
}

/** The dialog that asks for a proof. Its ways are those of signing in, so the panel's frame hands it down. */
export const ProofDialog = createContext<ComponentType<ProofDialogProps> | null>(null);
