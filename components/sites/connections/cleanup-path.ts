import type { Route } from "next";

/** The page of a clean-up's receipt. */
export const cleanupPath = (id: string): Route => `/connections/cleanups/${id}` as Route;
