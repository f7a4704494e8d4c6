import type { Route } from "next";

/** Path of a clean-up receipt. */
export const cleanupPath = (id: string): Route => `/connections/cleanups/${id}` as Route;
