import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { createView, renameView } from "@/server/domains/accounts/preferences/contract";

/* Form schemas. Import them dynamically: they load zod and the contracts. */

export const createViewForm = { body: getBodyFields(createView).pick({ name: true }) };
export const renameViewForm = renameView;

/** Not derived from the contract, which accepts any map. The server trims the texts. */
export const menuLabelsForm = {
  body: z.object({ menu_labels: z.record(z.string(), z.string().nullable()) }),
};
