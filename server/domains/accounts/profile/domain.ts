import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getAuthUser, getUser } from "./contract";
import { archiveReaders } from "./export";
import * as profileService from "./service";
import { CALLER_PROFILE_SQL, CALLER_SHORT_PROFILE_SQL } from "./statements";

export const profile = domain({
  operations: {
    me: createHandler(getAuthUser, profileService.getProfileJson, CALLER_PROFILE_SQL),
    get: createHandler(getUser, profileService.getShortProfileJson, CALLER_SHORT_PROFILE_SQL),
  },
  relations: [{ table: "users", column: "id", topic: "profile", onDeletion: "anonymise", export: "profile" }],
  exports: archiveReaders,
});
