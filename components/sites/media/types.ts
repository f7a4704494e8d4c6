import type { Output } from "@/server/core/contract";
import type { listMedia } from "@/server/domains/sites/media/contract";

export type Library = Output<typeof listMedia>;
export type MediaRow = Library["media"][number];
