"use client";

export { LastResort as default } from "./last-resort";
