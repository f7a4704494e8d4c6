"use client";

/** Error page outside the panel. */
export { LastResort as default } from "./last-resort";
