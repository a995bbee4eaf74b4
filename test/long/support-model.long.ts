import { meshOfFile, testSupports } from "../fixture/supported-model.ts";

testSupports("65004", { mesh: meshOfFile("fixture/corpus/thingi-65004.stl") });
testSupports("520644, tilted", {
  mesh: meshOfFile("fixture/corpus/thingi-520644.stl"),
  orientation: { x: -30, y: 35, z: 0 },
});
testSupports("472042", {
  mesh: meshOfFile("fixture/corpus/thingi-472042.stl"),
  orientation: { x: 0, y: 0, z: 90 },
});
testSupports("hull body", { mesh: meshOfFile("fixture/corpus/mf-hull-body-x0.35.stl") });
testSupports("heart gears", { mesh: meshOfFile("fixture/corpus/3mf-heartgears.3mf") });
testSupports("908460", { mesh: meshOfFile("../assets/demo/functional-part.stl") });
testSupports("bracket and pin", {
  mesh: meshOfFile("../assets/demo/bracket.step"),
  orientation: { x: 180, y: 0, z: 0 },
});
