import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getAccount, listUsers, setUserRole } from "./contract";
import { administrationErrors } from "./errors";
import { get } from "./service/get";
import { list } from "./service/list";
import { setRole } from "./service/role";

export const administration = domain({
  operations: {
    listUsers: handle(listUsers, list),
    getAccount: handle(getAccount, get),
    setRole: handle(setUserRole, setRole),
  },
  mails: ["administrator_appointed"],
  notices: ["role_changed"],
  audit: ["admin.granted_by_setting", "admin.granted_by_console", "role.changed"],
  errors: administrationErrors,
});
