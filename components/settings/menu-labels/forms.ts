import * as z from "zod";

/* Rules of the forms here, loaded when somebody fills one in. */

/** The operation takes any map, whose texts the server cleans. */
export const labelsForm = { body: z.object({ menu_labels: z.record(z.string(), z.string().nullable()) }) };
