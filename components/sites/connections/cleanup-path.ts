import type { Route } from "next";

export const getCleanupPath = (id: string): Route => `/connections/cleanups/${id}` as Route;
