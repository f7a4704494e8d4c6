"use client";

import { createContext } from "react";
import type { MenuLabels } from "@/components/navigation/menu";
import type { MenuGroups } from "./use-menu";

/** Menu of the surrounding frame; empty outside the panel. */
export const MenuContext = createContext<{ groups: MenuGroups; labels: MenuLabels }>({
  groups: [],
  labels: {},
});
