import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listCustomers } from "./contract";
import { list } from "./service/list";

export const customers = domain({
  operations: {
    list: handle(listCustomers, list),
  },
});
