import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { createView, renameView } from "@/server/domains/accounts/preferences/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

export const viewForm = { body: fieldsOf(createView).pick({ name: true }) };
export const renameForm = renameView;

/* Rules of the forms here, loaded when somebody fills one in. */

/** The operation takes any map, whose texts the server cleans. */
export const labelsForm = { body: z.object({ menu_labels: z.record(z.string(), z.string().nullable()) }) };
