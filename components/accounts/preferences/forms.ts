import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { createView, renameView } from "@/server/domains/accounts/preferences/contract";

/* Form schemas. Import them dynamically: they load zod and the contracts. */

export const viewForm = { body: getBodyFields(createView).pick({ name: true }) };
export const renameForm = renameView;

/** The operation accepts any map; the server cleans the texts. */
export const labelsForm = { body: z.object({ menu_labels: z.record(z.string(), z.string().nullable()) }) };
