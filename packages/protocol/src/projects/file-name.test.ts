import assert from "node:assert/strict";
import { test } from "node:test";
import { projectFileName } from "./file-name.ts";

test("a file has the title of its project, or the number and title of its chapter", () => {
  const chapters = Array.from({ length: 12 }, (_, index) => ({ title: `Part ${index}/x` }));
  assert.equal(projectFileName({ title: "Émile: a story", chapters }, undefined, "m4b"), "Émile a story.m4b");
  assert.equal(projectFileName({ title: "x", chapters }, 2, "mp3"), "03 Part 2 x.mp3");
  assert.equal(projectFileName({ title: "x", chapters }, 99, "mp3"), "100.mp3");
});

test("nothing of a title leaves the folder or breaks a header", () => {
  const name = (title: string) => projectFileName({ title, chapters: [] }, undefined, "wav");
  assert.equal(name('../..\\"\r\nx'), "x.wav");
  assert.equal(name("\ud800"), "project.wav");
  assert.equal(name("😀".repeat(200)), `${"😀".repeat(100)}.wav`);
});
