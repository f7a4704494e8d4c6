"use client";

import { type ComponentType, createContext } from "react";
import type { ProofMethod } from "./proof-method";

export interface ProofDialogProps {
  open: boolean;
  /** Action shown in the dialog: "Create an API key". */
  actionLabel: string;
  methods: readonly ProofMethod[];
  /** Called once; false if closed without a proof. */
  onEnd: (proven: boolean) => void;
}

/** Dialog that asks for a proof. `PanelFrame` provides it, because it depends on sign-in components. */
export const ProofDialog = createContext<ComponentType<ProofDialogProps> | null>(null);
