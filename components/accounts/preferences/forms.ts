import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { createView, renameView } from "@/server/domains/accounts/preferences/contract";

/* Form rules, loaded on first use. */

export const viewForm = { body: fieldsOf(createView).pick({ name: true }) };
export const renameForm = renameView;

/** The operation accepts any map; the server cleans the texts. */
export const labelsForm = { body: z.object({ menu_labels: z.record(z.string(), z.string().nullable()) }) };
