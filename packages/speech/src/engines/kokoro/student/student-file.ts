/** The weights come with this package; the path is the same from the sources and from the built files. */
export const studentFile = new URL("../../../../assets/kokoro-student/student.onnx", import.meta.url);
