import type { Route } from "next";

export const cleanupPath = (id: string): Route => `/connections/cleanups/${id}` as Route;
