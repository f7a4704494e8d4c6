"use client";

import { createContext } from "react";
import type { MenuLabels } from "@/components/navigation/menu";
import type { MenuGroups } from "./use-menu";

/** The menu of the frame around a page; empty outside of the panel. */
export const MenuContext = createContext<{ groups: MenuGroups; labels: MenuLabels }>({
  groups: [],
  labels: {},
});
