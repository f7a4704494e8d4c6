import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getOverview } from "./contract";
import { get } from "./service";

export const overview = domain({ operations: { get: handle(getOverview, get) } });
