import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { listSettings, putSettings } from "./contract";
import { changeSettings, listPlatformSettings } from "./service";

export const settings = domain({
  operations: {
    list: createHandler(listSettings, listPlatformSettings),
    change: createHandler(putSettings, changeSettings),
  },
  relations: [
    {
      table: "settings",
      column: "updated_by_id",
      topic: "settings",
      onDeletion: "detach",
      export: { omittedBecause: "settings of the platform, which are not personal data" },
    },
  ],
  audit: ["setting.changed"],
});
