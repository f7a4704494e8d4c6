import type { Output } from "@/server/core/contract";
import type { listViews } from "@/server/domains/accounts/preferences/contract";

export type SavedView = Output<typeof listViews>["views"][number];
