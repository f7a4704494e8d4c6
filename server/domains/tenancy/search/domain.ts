import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { search as searchAll } from "./contract";
import { find } from "./service";

export const search = domain({ operations: { find: handle(searchAll, find) } });
