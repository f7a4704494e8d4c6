import * as z from "zod";

/** Returns the fields of a body as a schema. Drops refinements: zod cannot `pick` from a refined schema. */
export function getBodyFields<Shape extends z.core.$ZodShape>({ body }: { body?: z.ZodObject<Shape> }) {
  return z.object(body!.shape);
}

/** Value of a completely filled `CodeField`. */
export const sixDigitCodeSchema = z.string().regex(/^\d{6}$/);

export function makeRequired<T extends z.ZodType>(field: z.ZodOptional<z.ZodNullable<T>>): T {
  return field.unwrap().unwrap();
}
